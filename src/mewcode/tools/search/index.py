"""The index: exact names first, then fielded BM25 with name coverage and a leaning towards servers that fit."""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mewcode.tools.search.entry import SearchEntry, impacts_of
from mewcode.tools.search.names import NameTable
from mewcode.tools.search.postings import Postings, total
from mewcode.tools.search.query import Query, Sought, understand
from mewcode.tools.search.servers import ServerProfiles
from mewcode.tools.search.spelling import Spelling
from mewcode.tools.search.words import terms_of

Scores: TypeAlias = dict[str, float]

NAME_COVERAGE = 0.35
"""What a tool gets for a name of which every word is sought; a part of it for a part."""
SERVER_PRIOR = 0.15
"""What the tools of the best fitting server get."""
PART = 0.5
"""What the best tool for one part of a query gets, where the query asks for several things."""
CANDIDATES = 150
"""Tools that are looked at closely, of those that have most of the words."""
NAMED = 1_000.0
"""Above every other score: tools that the query names come first."""


@dataclass(frozen=True)
class Found:
    """A tool that a search found; scores compare within one search only."""

    entry: SearchEntry
    score: float


def _all(entry: SearchEntry) -> bool:
    return True


class SearchIndex:
    """Adding or removing a tool costs what that tool has words, so that the index follows a registry as it changes."""

    def __init__(self) -> None:
        self._entries: dict[str, SearchEntry] = {}
        self._name_terms: dict[str, tuple[str, ...]] = {}
        self._tools = Postings()
        self._servers = ServerProfiles()
        self._names = NameTable()
        self._spelling = Spelling(self._tools)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def get(self, key: str) -> SearchEntry | None:
        return self._entries.get(key)

    def add(self, entry: SearchEntry) -> None:
        """A tool of the same key is replaced."""
        self.remove(entry.key)
        terms = impacts_of(entry)
        self._entries[entry.key] = entry
        self._name_terms[entry.key] = tuple(dict.fromkeys(terms_of(entry.name)))
        self._tools.put(entry.key, terms)
        self._servers.put(entry.server, entry.key, terms)
        self._names.put(entry)

    def remove(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        del self._name_terms[key]
        self._tools.remove(key)
        self._servers.remove(entry.server, key)
        self._names.remove(entry)

    def search(
        self, query: str, limit: int, *, keep: Callable[[SearchEntry], bool] = _all, per_server: int | None = None
    ) -> list[Found]:
        """The best `limit` tools that `keep` lets through, at most `per_server` of one server unless named."""
        scores = self.scores(query)
        named = self._names.find(query)
        for place, key in enumerate(named):
            scores[key] = NAMED - place
        return self._best(scores, limit, keep, per_server, frozenset(named))

    def scores(self, text: str) -> dict[str, float]:
        """The tools that have most of the query, by key."""
        self._servers.refresh()
        query = self._understood(text)
        tools = [self._tools.best(one) for one in query.sought]
        servers = [self._servers.postings.best(one) for one in query.sought]
        scores = self._ranked(query.sought, tools, servers)
        if not query.parts:
            return scores
        scores = to_one(scores)
        for key, score in self._best_of_parts(query, tools, servers).items():
            scores[key] = scores.get(key, 0.0) + PART * score
        return scores

    def _understood(self, text: str) -> Query:
        query = understand(text)
        return Query(self._spelling.completed(query.sought), query.parts)

    def _best_of_parts(self, query: Query, tools: list[Scores], servers: list[Scores]) -> Scores:
        best: Scores = {}
        for part in query.parts:
            sought = [query.sought[place] for place in part]
            ranked = self._ranked(sought, [tools[place] for place in part], [servers[place] for place in part])
            for key, score in to_one(ranked).items():
                best[key] = max(score, best.get(key, 0.0))
        return best

    def _ranked(self, sought: Sequence[Sought], tools: list[Scores], servers: list[Scores]) -> Scores:
        """Words first; of the tools that have most of them, those with fitting names and servers move up."""
        words = total(tools)
        best_words = max(words.values(), default=0.0) or 1.0
        homes = to_one(total(servers))
        matched = _matched(sought)
        scores: Scores = {}
        for key in heapq.nlargest(CANDIDATES, words, key=words.__getitem__):
            score = words[key] / best_words
            score += NAME_COVERAGE * self._coverage(self._name_terms[key], matched)
            score += SERVER_PRIOR * homes.get(self._entries[key].server, 0.0)
            scores[key] = score
        return scores

    def _coverage(self, terms: tuple[str, ...], matched: dict[str, float]) -> float:
        """How much of a name is sought, its telling words counting for more."""
        telling = {term: self._tools.idf(term) for term in terms}
        whole = sum(telling.values())
        return sum(idf * matched.get(term, 0.0) for term, idf in telling.items()) / whole if whole else 0.0

    def _best(
        self,
        scores: dict[str, float],
        limit: int,
        keep: Callable[[SearchEntry], bool],
        per_server: int | None,
        named: frozenset[str],
    ) -> list[Found]:
        found: list[Found] = []
        taken: dict[str, int] = {}
        heap = [(-score, place, key) for place, (key, score) in enumerate(scores.items())]
        heapq.heapify(heap)
        while heap and len(found) < limit:
            score, _, key = heapq.heappop(heap)
            entry = self._entries[key]
            full = per_server is not None and taken.get(entry.server, 0) >= per_server and key not in named
            if full or not keep(entry):
                continue
            taken[entry.server] = taken.get(entry.server, 0) + 1
            found.append(Found(entry, -score))
        return found


def to_one(scores: Scores) -> Scores:
    """Scores with the best of them at 1."""
    best = max(scores.values(), default=0.0)
    return {key: score / best for key, score in scores.items()} if best else scores


def _matched(sought: Sequence[Sought]) -> dict[str, float]:
    """Each stem that satisfies something sought, with the most that it counts for."""
    matched: dict[str, float] = {}
    for one in sought:
        for term, weight in one.stems.items():
            matched[term] = max(weight, matched.get(term, 0.0))
    return matched
