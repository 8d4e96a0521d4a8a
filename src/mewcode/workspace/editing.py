"""Exact replacement in a text, whatever its line endings."""

import re
from dataclasses import dataclass

_MOST_PLACES = 10


@dataclass(frozen=True)
class Edited:
    """The new text, how many places were replaced, and the line (from 1) of the first."""

    text: str
    count: int
    line: int


@dataclass(frozen=True)
class NotUnique:
    """`old` was found at these lines (from 1, the first few) and `count` places in all."""

    lines: tuple[int, ...]
    count: int


def replace(text: str, old: str, new: str, *, everywhere: bool) -> Edited | NotUnique | None:
    """Replaces `old` by `new`; None when `old` is not there. An empty `old` is never there.

    A line end in `old` matches the text's own, `\\n` or `\\r\\n`; `new` gets the line ends of what it replaces, else
    those of the text.
    """
    if not old:
        return None
    pattern = re.compile(r"\r?\n".join(re.escape(line) for line in old.replace("\r\n", "\n").split("\n")))
    found = list(pattern.finditer(text))
    if not found:
        return None
    if len(found) > 1 and not everywhere:
        lines = tuple(line_of(text, match.start()) for match in found[:_MOST_PLACES])
        return NotUnique(lines, len(found))
    usual = line_ending(text)
    pieces: list[str] = []
    end = 0
    for match in found:
        pieces += [text[end : match.start()], _with_ending(new, _ending_in(match.group(), usual))]
        end = match.end()
    return Edited("".join([*pieces, text[end:]]), len(found), line_of(text, found[0].start()))


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def line_ending(text: str) -> str:
    """The line end that most lines have."""
    windows = text.count("\r\n")
    return "\r\n" if windows > text.count("\n") - windows else "\n"


def _ending_in(matched: str, usual: str) -> str:
    return line_ending(matched) if "\n" in matched else usual


def _with_ending(text: str, ending: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", ending)
