"""The index: exact names first, then fielded BM25 with name coverage and a leaning towards servers that fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from mewcode.tools.search.entry import SearchEntry, impacts_of
from mewcode.tools.search.names import NameTable
from mewcode.tools.search.postings import Postings, Scores, total
from mewcode.tools.search.query import Query, Sought, understand
from mewcode.tools.search.servers import ServerProfiles
from mewcode.tools.search.spelling import Spelling
from mewcode.tools.search.words import terms_of

NAME_COVERAGE = 0.35
"""What a tool gets for a name of which every word is sought; a part of it for a part."""
SERVER_PRIOR = 0.15
"""What the tools of the best fitting server get."""
PART = 0.5
"""What the best tool for one part of a query gets, where the query asks for several things."""
FIRST = 400
"""Tools of which common words decide, of those that rarer words found."""
ENOUGH = 1_500
"""Tools that rarer words found, after which the others only choose among them."""
CANDIDATES = 80
"""Tools that are looked at closely, of those that have most of the words."""
CLOSE = 0.8
"""A tool of another server takes the place of one too many of the same server when it scores at least this share."""
MEANING = 0.35
"""How much the encoder decides where there is one; words decide the rest."""
NAMED = 1_000.0
"""Above every other score: tools that the query names come first."""


class Meaning(Protocol):
    """What an encoder adds (semantic/): the tools nearest to a query, none while it is not ready."""

    def put(self, entry: SearchEntry) -> None: ...

    def remove(self, key: str) -> None: ...

    def scores(self, query: str) -> Scores: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Found:
    """A tool that a search found; scores compare within one search only."""

    entry: SearchEntry
    score: float


def _all(entry: SearchEntry) -> bool:
    return True


class SearchIndex:
    """Adding or removing a tool costs what that tool has words, so that the index follows a registry as it changes."""

    def __init__(self, meaning: Meaning | None = None) -> None:
        self._meaning = meaning
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
        if self._meaning is not None:
            self._meaning.put(entry)

    def remove(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        del self._name_terms[key]
        self._tools.remove(key)
        self._servers.remove(entry.server, key)
        self._names.remove(entry)
        if self._meaning is not None:
            self._meaning.remove(key)

    def search(
        self, query: str, limit: int, *, keep: Callable[[SearchEntry], bool] = _all, per_server: int | None = None
    ) -> list[Found]:
        """The best `limit` tools that `keep` lets through, at most `per_server` of one server unless named."""
        scores = self._fused(query)
        named = self._names.find(query)
        for place, key in enumerate(named):
            scores[key] = NAMED - place
        return self._best(scores, limit, keep, per_server, frozenset(named))

    def _fused(self, query: str) -> Scores:
        scores = self.scores(query)
        nearest = self._meaning.scores(query) if self._meaning is not None else {}
        if not nearest:
            return scores
        fused = {key: (1 - MEANING) * score for key, score in to_one(scores).items()}
        for key, score in nearest.items():
            if key in self._entries:
                fused[key] = fused.get(key, 0.0) + MEANING * score
        return fused

    def scores(self, text: str) -> Scores:
        """The tools that have most of the query, by key."""
        self._servers.refresh()
        query = self._understood(text)
        tools = self._words(query.sought)
        scores = self._ranked(query.sought, tools)
        if not query.parts:
            return scores
        scores = to_one(scores)
        for key, score in self._best_of_parts(query, tools).items():
            scores[key] = scores.get(key, 0.0) + PART * score
        return scores

    def _words(self, sought: Sequence[Sought]) -> list[Scores]:
        """What the tools score for each thing sought. Common words only decide among what rarer ones found, and so does
        every word once rarer ones have found enough."""
        bests: list[Scores] = [{} for _ in sought]
        waiting: list[int] = []
        found = 0
        for place in sorted(range(len(sought)), key=lambda place: self._tools.holders(sought[place])):
            if self._tools.is_common(sought[place]) or found > ENOUGH:
                waiting.append(place)
            else:
                bests[place] = self._tools.best(sought[place])
                found += len(bests[place])
        if not found:
            return [self._tools.best(one) for one in sought]
        if waiting:
            first = frozenset(_largest(total(bests), FIRST))
            for place in waiting:
                bests[place] = self._tools.best_among(sought[place], first)
        return bests

    def _understood(self, text: str) -> Query:
        query = understand(text)
        return Query(self._spelling.completed(query.sought), query.parts)

    def _best_of_parts(self, query: Query, tools: list[Scores]) -> Scores:
        best: Scores = {}
        for part in query.parts:
            ranked = self._ranked([query.sought[place] for place in part], [tools[place] for place in part])
            for key, score in to_one(ranked).items():
                best[key] = max(score, best.get(key, 0.0))
        return best

    def _ranked(self, sought: Sequence[Sought], tools: list[Scores]) -> Scores:
        """Words first; of the tools that have most of them, those with fitting names and servers move up."""
        words = total(tools)
        best_words = max(words.values(), default=0.0) or 1.0
        candidates = _largest(words, CANDIDATES)
        homes = self._homes(sought, {self._entries[key].server for key in candidates})
        matched = _matched(sought)
        scores: Scores = {}
        for key in candidates:
            score = words[key] / best_words
            score += NAME_COVERAGE * self._coverage(self._name_terms[key], matched)
            score += SERVER_PRIOR * homes.get(self._entries[key].server, 0.0)
            scores[key] = score
        return scores

    def _homes(self, sought: Sequence[Sought], servers: set[str]) -> Scores:
        """How well each of these servers fits on the whole, the best at 1."""
        return to_one(total(self._servers.postings.best_among(one, servers) for one in sought))

    def _coverage(self, terms: tuple[str, ...], matched: dict[str, float]) -> float:
        """How much of a name is sought, its telling words counting for more."""
        if matched.keys().isdisjoint(terms):
            return 0.0
        telling = {term: self._tools.idf(term) for term in terms}
        whole = sum(telling.values())
        return sum(idf * matched.get(term, 0.0) for term, idf in telling.items()) / whole if whole else 0.0

    def _best(
        self,
        scores: Scores,
        limit: int,
        keep: Callable[[SearchEntry], bool],
        per_server: int | None,
        named: frozenset[str],
    ) -> list[Found]:
        """No server floods an answer: its further tools come only where nobody else's fit nearly as well."""
        order = sorted(scores, key=lambda key: -scores[key])
        found: list[Found] = []
        waiting: list[Found] = []
        taken: dict[str, int] = {}
        for key in order:
            entry = self._entries[key]
            if not keep(entry):
                continue
            if waiting and scores[key] < CLOSE * waiting[0].score:
                break
            one = Found(entry, scores[key])
            if per_server is not None and taken.get(entry.server, 0) >= per_server and key not in named:
                waiting.append(one)
                continue
            taken[entry.server] = taken.get(entry.server, 0) + 1
            found.append(one)
            if len(found) == limit:
                return found
        rest = [Found(self._entries[key], scores[key]) for key in order if key not in {one.entry.key for one in found}]
        return [*found, *(one for one in rest if keep(one.entry))][:limit]


def to_one(scores: Scores) -> Scores:
    """Scores with the best of them at 1."""
    best = max(scores.values(), default=0.0)
    return {key: score / best for key, score in scores.items()} if best else scores


def _largest(scores: Scores, count: int) -> list[str]:
    """The keys of the `count` largest scores, the largest first."""
    if len(scores) > count:
        least = sorted(scores.values(), reverse=True)[count - 1]
        scores = {key: score for key, score in scores.items() if score >= least}
    return sorted(scores, key=scores.__getitem__, reverse=True)[:count]


def _matched(sought: Sequence[Sought]) -> dict[str, float]:
    """Each stem that satisfies something sought, with the most that it counts for."""
    matched: dict[str, float] = {}
    for one in sought:
        for term, weight in one.stems.items():
            matched[term] = max(weight, matched.get(term, 0.0))
    return matched
