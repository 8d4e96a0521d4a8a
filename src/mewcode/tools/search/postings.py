"""An inverted index: which keys hold a term and how much, and what a query makes of that."""

import math
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from mewcode.tools.search.query import Sought

Scores: TypeAlias = dict[str, float]

FEW = 60
"""Keys that are never too many."""
COMMON = 0.08
"""A word that more than this share of the keys hold finds none by itself where rarer ones do."""
TELLING = 0.2
"""A synonym that more than this share of the keys hold tells nothing and is left out."""


class Postings:
    """Term to keys to weights. Adding and removing a key costs what that key has terms."""

    def __init__(self) -> None:
        self._keys: dict[str, Mapping[str, float]] = {}
        self._postings: dict[str, dict[str, float]] = {}
        self._idf: dict[str, float] = {}
        self.version = 0

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, term: str) -> bool:
        return term in self._postings

    def put(self, key: str, terms: Mapping[str, float]) -> None:
        """Replaces what `key` had."""
        self.remove(key)
        self._keys[key] = terms
        for term, weight in terms.items():
            self._postings.setdefault(term, {})[key] = weight

    def terms(self) -> Iterable[str]:
        return self._postings.keys()

    def remove(self, key: str) -> None:
        self.version += 1
        self._idf.clear()
        for term in self._keys.pop(key, ()):
            posting = self._postings[term]
            del posting[key]
            if not posting:
                del self._postings[term]

    def idf(self, term: str) -> float:
        """How telling a term is: the fewer keys have it, the more."""
        known = self._idf.get(term)
        if known is None:
            holders = len(self._postings.get(term, ()))
            known = self._idf[term] = math.log(1 + (len(self._keys) - holders + 0.5) / (holders + 0.5))
        return known

    def holders(self, one: Sought) -> int:
        """How many keys satisfy it, synonyms aside; a key that satisfies it in two ways counts twice."""
        return sum(len(self._postings.get(term, ())) for term, weight in one.stems.items() if weight >= 1.0)

    def is_common(self, one: Sought) -> bool:
        """Whether so many keys satisfy it that it is dear to look for and tells little."""
        return self.holders(one) > max(FEW, COMMON * len(self._keys))

    def best(self, one: Sought) -> Scores:
        """What each key scores for one thing sought. Of several stems that satisfy it the best counts, and no other."""
        best: Scores = {}
        for posting, telling in self._used(one):
            if not best:
                best = {key: telling * held for key, held in posting.items()}
                continue
            for key, held in posting.items():
                value = telling * held
                if value > best.get(key, 0.0):
                    best[key] = value
        return best

    def best_among(self, one: Sought, keys: AbstractSet[str]) -> Scores:
        """The same for these keys only."""
        best: Scores = {}
        for posting, telling in self._used(one):
            for key in posting.keys() & keys:
                value = telling * posting[key]
                if value > best.get(key, 0.0):
                    best[key] = value
        return best

    def _used(self, one: Sought) -> list[tuple[dict[str, float], float]]:
        """The postings that count for one thing sought, with what a unit of each is worth."""
        most = max(FEW, TELLING * len(self._keys))
        return [
            (posting, weight * self.idf(term))
            for term, weight in one.stems.items()
            if (posting := self._postings.get(term)) is not None and (term == one.word or len(posting) <= most)
        ]


def total(bests: Iterable[Scores]) -> Scores:
    """The sum, by key."""
    scores: Scores = {}
    for best in sorted(bests, key=len, reverse=True):
        if not scores:
            scores = dict(best)
            continue
        for key, value in best.items():
            scores[key] = scores.get(key, 0.0) + value
    return scores
