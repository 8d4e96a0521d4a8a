"""The index: exact names first, then fielded BM25 with name coverage and a leaning towards servers that fit."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass

from mewcode.tools.search.entry import SearchEntry, impacts_of
from mewcode.tools.search.names import NameTable
from mewcode.tools.search.postings import Postings
from mewcode.tools.search.query import Sought, parts_of, sought_in
from mewcode.tools.search.servers import ServerProfiles
from mewcode.tools.search.words import terms_of

NAME_COVERAGE = 0.35
"""What a tool gets for a name of which every word is sought; a part of it for a part."""
SERVER_PRIOR = 0.15
"""What the tools of the best fitting server get."""
PART = 0.5
"""What the best tool for one part of a query gets, where the query asks for several things."""
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

    def scores(self, query: str) -> dict[str, float]:
        """Every tool that has anything of the query, by key."""
        self._servers.refresh()
        total = self._ranked(query)
        parts = parts_of(query)
        best_of_parts: dict[str, float] = {}
        for part in parts:
            for key, score in _to_one(self._ranked(part)).items():
                best_of_parts[key] = max(score, best_of_parts.get(key, 0.0))
        if best_of_parts:
            total = _to_one(total)
            for key, score in best_of_parts.items():
                total[key] = total.get(key, 0.0) + PART * score
        return total

    def _ranked(self, query: str) -> dict[str, float]:
        sought = sought_in(query)
        scores = _to_one(self._tools.scores(sought))
        servers = _to_one(self._servers.postings.scores(sought))
        matched = _matched(sought)
        for key in scores:
            scores[key] += NAME_COVERAGE * self._coverage(key, matched)
            scores[key] += SERVER_PRIOR * servers.get(self._entries[key].server, 0.0)
        return scores

    def _coverage(self, key: str, matched: dict[str, float]) -> float:
        """How much of the tool's name is sought, its telling words counting for more."""
        telling = {term: self._tools.idf(term) for term in self._name_terms[key]}
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


def _to_one(scores: dict[str, float]) -> dict[str, float]:
    """Scores with the best of them at 1."""
    best = max(scores.values(), default=0.0)
    return {key: score / best for key, score in scores.items()} if best else scores


def _matched(sought: list[Sought]) -> dict[str, float]:
    """Each stem that satisfies something sought, with the most that it counts for."""
    matched: dict[str, float] = {}
    for one in sought:
        for term, weight in one.stems.items():
            matched[term] = max(weight, matched.get(term, 0.0))
    return matched
