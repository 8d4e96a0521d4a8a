"""Text with `*` in it: the smallest pattern language that people expect, matched in linear time."""

import unicodedata
from dataclasses import dataclass
from functools import cached_property

_ESCAPES = {"\\*": "*", "\\\\": "\\"}


@dataclass(frozen=True)
class Wildcard:
    """`*` stands for any run of characters (none included, line breaks included); `\\*` and `\\\\` are themselves.

    No regular expression is built, so that no pattern and no text makes matching slow.
    """

    text: str

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The literal pieces between the stars; a pattern without a star has one."""
        pieces = [""]
        position = 0
        while position < len(self.text):
            pair = self.text[position : position + 2]
            if pair in _ESCAPES:
                pieces[-1] += _ESCAPES[pair]
                position += 2
                continue
            if self.text[position] == "*":
                pieces.append("")
            else:
                pieces[-1] += self.text[position]
            position += 1
        return tuple(pieces)

    @property
    def literal(self) -> bool:
        return len(self.parts) == 1

    @property
    def prefix(self) -> str:
        """What every match begins with."""
        return self.parts[0]

    @property
    def matches_everything(self) -> bool:
        return len(self.parts) > 1 and not any(self.parts)

    def matches(self, text: str) -> bool:
        return _fits(self.parts, text)

    def matches_loosely(self, text: str) -> bool:
        """As `matches`, without regard to case or to how Unicode composes a character: for rules that tighten."""
        return _fits(tuple(_folded(part) for part in self.parts), _folded(text))

    def covers(self, other: "Wildcard") -> bool:
        """Whether everything that `other` matches is matched here too. A star of `other` is only met by a star."""
        return _fits(self.parts, _STAR.join(other.parts))


_STAR = "\ufdd0"
"""A code point that Unicode reserves for use inside a program: no text holds it, so only a star can match it."""


def _fits(parts: tuple[str, ...], text: str) -> bool:
    if len(parts) == 1:
        return parts[0] == text
    first, *middle, last = parts
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    position, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, position, end)
        if found < 0:
            return False
        position = found + len(part)
    return True


def _folded(text: str) -> str:
    return text if text.isascii() and text.islower() else unicodedata.normalize("NFKC", text).casefold()
