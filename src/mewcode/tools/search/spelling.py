"""Words of a query that no tool has: a slip of the pen finds the word that was meant, a name finds the search tools."""

from collections.abc import Iterable

from mewcode.tools.search.names import one_slip
from mewcode.tools.search.postings import Postings
from mewcode.tools.search.query import Sought
from mewcode.tools.search.stemming import stem

NEAR_WEIGHT = 0.8
LOOKED_UP_WEIGHT = 0.5
_LEAST = 5
"""Letters that a word must have for a slip to be forgiven."""
_LOOKED_UP = tuple(stem(word) for word in ("search", "web", "query"))
"""A word that no tool knows is the name of something, and whoever names it wants it looked up."""


class Spelling:
    """Knows the words of the index by first letter and length, anew whenever the index has changed."""

    def __init__(self, postings: Postings) -> None:
        self._postings = postings
        self._words: dict[tuple[str, int], list[str]] = {}
        self._version = -1

    def completed(self, sought: Iterable[Sought]) -> tuple[Sought, ...]:
        return tuple(one if any(term in self._postings for term in one.stems) else self._meant(one) for one in sought)

    def _meant(self, one: Sought) -> Sought:
        if not (one.word.isascii() and one.word.isalpha()):
            return one
        near = self._near(one.word) if len(one.word) >= _LEAST else {}
        return Sought(one.word, {**one.stems, **(near or dict.fromkeys(_LOOKED_UP, LOOKED_UP_WEIGHT))})

    def _near(self, word: str) -> dict[str, float]:
        if self._version != self._postings.version:
            self._learn()
        lengths = (len(word) - 1, len(word), len(word) + 1)
        known = (other for length in lengths for other in self._words.get((word[0], length), ()))
        return {other: NEAR_WEIGHT for other in known if one_slip(word, other)}

    def _learn(self) -> None:
        self._words = {}
        for term in self._postings.terms():
            if term.isascii() and term.isalpha():
                self._words.setdefault((term[0], len(term)), []).append(term)
        self._version = self._postings.version
