"""An inverted index: which keys hold a term and how much, and what a query makes of that."""

import math
from collections.abc import Iterable, Mapping

from mewcode.tools.search.query import Sought

COMMON = 0.2
"""A synonym that more than this share of the keys holds tells nothing and is left out."""


class Postings:
    """Term to keys to weights. Adding and removing a key costs what that key has terms."""

    def __init__(self) -> None:
        self._keys: dict[str, Mapping[str, float]] = {}
        self._postings: dict[str, dict[str, float]] = {}
        self.version = 0

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, term: str) -> bool:
        return term in self._postings

    def put(self, key: str, terms: Mapping[str, float]) -> None:
        """Replaces what `key` had."""
        self.remove(key)
        self._keys[key] = terms
        self.version += 1
        for term, weight in terms.items():
            self._postings.setdefault(term, {})[key] = weight

    def terms(self) -> Iterable[str]:
        return self._postings.keys()

    def remove(self, key: str) -> None:
        self.version += 1
        for term in self._keys.pop(key, ()):
            posting = self._postings[term]
            del posting[key]
            if not posting:
                del self._postings[term]

    def idf(self, term: str) -> float:
        """How telling a term is: the fewer keys have it, the more."""
        holders = len(self._postings.get(term, ()))
        return math.log(1 + (len(self._keys) - holders + 0.5) / (holders + 0.5))

    def best(self, one: Sought) -> dict[str, float]:
        """What each key scores for one thing sought. Of several stems that satisfy it the best counts, and no other."""
        best: dict[str, float] = {}
        most = max(20, COMMON * len(self._keys))
        for term, weight in one.stems.items():
            posting = self._postings.get(term)
            if posting is None or (term != one.word and len(posting) > most):
                continue
            telling = weight * self.idf(term)
            if not best:
                best = {key: telling * held for key, held in posting.items()}
                continue
            for key, held in posting.items():
                value = telling * held
                if value > best.get(key, 0.0):
                    best[key] = value
        return best


def total(bests: list[dict[str, float]]) -> dict[str, float]:
    """The sum, by key."""
    scores: dict[str, float] = {}
    for best in sorted(bests, key=len, reverse=True):
        if not scores:
            scores = dict(best)
            continue
        for key, value in best.items():
            scores[key] = scores.get(key, 0.0) + value
    return scores
