"""What a search needs of a program that searches, and which one there is."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mewcode.workspace.place import Place


@dataclass(frozen=True)
class Count:
    """How many lines of a file match; `path` is relative to the directory searched."""

    path: str
    lines: int


@dataclass(frozen=True)
class Line:
    """A line of a result; `matched` is False for context. `number` counts from 1."""

    path: str
    number: int
    text: str
    matched: bool


class Engine(Protocol):
    late: bool
    """Whether the deadline came before the end, so that an answer is not whole."""

    async def count(self, place: Place, glob: str | None) -> list[Count]:
        """Matching lines per file beneath a directory, in any order."""
        ...

    async def lines(self, files: list[tuple[str, Path, int]], *, context: int, limit: int) -> list[Line]:
        """The matching lines of (name, path, open descriptor)s, at most `limit` a file, in the order given."""
        ...


def engine(text: str, *, literal: bool, deadline: float) -> Engine:
    """ripgrep where it is, else a slower search of our own with the same answers."""
    from mewcode.workspace.ripgrep import find_ripgrep
    from mewcode.workspace.ripgrep_engine import RipgrepEngine

    program = find_ripgrep()
    if program is not None:
        return RipgrepEngine(program, text, literal=literal, deadline=deadline)
    from mewcode.workspace.python_engine import PythonEngine

    return PythonEngine(text, literal=literal, deadline=deadline)
