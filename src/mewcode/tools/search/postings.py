"""An inverted index: which keys hold a term and how much, and what a query makes of that."""

import math
from collections.abc import Iterable, Mapping

from mewcode.tools.search.query import Sought


class Postings:
    """Term to keys to weights. Adding and removing a key costs what that key has terms."""

    def __init__(self) -> None:
        self._keys: dict[str, Mapping[str, float]] = {}
        self._postings: dict[str, dict[str, float]] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def put(self, key: str, terms: Mapping[str, float]) -> None:
        """Replaces what `key` had."""
        self.remove(key)
        self._keys[key] = terms
        for term, weight in terms.items():
            self._postings.setdefault(term, {})[key] = weight

    def remove(self, key: str) -> None:
        for term in self._keys.pop(key, ()):
            posting = self._postings[term]
            del posting[key]
            if not posting:
                del self._postings[term]

    def idf(self, term: str) -> float:
        """How telling a term is: the fewer keys have it, the more."""
        holders = len(self._postings.get(term, ()))
        return math.log(1 + (len(self._keys) - holders + 0.5) / (holders + 0.5))

    def scores(self, sought: Iterable[Sought]) -> dict[str, float]:
        """Keys with what they score. Of several stems that satisfy one thing sought, the best counts and no other."""
        total: dict[str, float] = {}
        for one in sought:
            for key, value in self._best(one).items():
                total[key] = total.get(key, 0.0) + value
        return total

    def _best(self, one: Sought) -> dict[str, float]:
        best: dict[str, float] = {}
        for term, weight in one.stems.items():
            telling = weight * self.idf(term)
            for key, held in self._postings.get(term, {}).items():
                value = telling * held
                if value > best.get(key, 0.0):
                    best[key] = value
        return best
