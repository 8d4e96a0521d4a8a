"""Searching file contents with ripgrep, in the same order each time, without giving up its threads.

`rg --sort path` runs on one thread. Here a first, parallel run only counts the matching lines of each file; the files
are sorted, and a second, small run prints the matches of the first few, which are opened safely beforehand.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.globs import glob_matcher
from mewcode.workspace.opening import open_file
from mewcode.workspace.place import Place
from mewcode.workspace.search_engine import Count, Engine, Line, engine

_FILES_AT_ONCE = 64


@dataclass(frozen=True)
class Query:
    """What to look for. `context` and `limit` count lines and matching lines; `deadline` is seconds."""

    text: str
    path: str = "."
    glob: str | None = None
    literal: bool = False
    context: int = 0
    limit: int = 50
    deadline: float = 10.0


@dataclass(frozen=True)
class Found:
    """`lines` in order of path and line, context lines included; `shown` of them match.

    `total` counts the matching lines of all `files`; `incomplete` says that the deadline came first.
    """

    lines: tuple[Line, ...]
    shown: int
    total: int
    files: int
    incomplete: bool


async def search_code(query: Query, access: Access) -> Found:
    """Raises WorkspaceError for a bad expression or glob, OutOfScopeError for a path that may not be read."""
    with access.locate(query.path) as place:
        searcher = engine(query.text, literal=query.literal, deadline=query.deadline)
        if place.name:
            return await _search_file(query, access, searcher, access.shown(place.path))
        matches = glob_matcher(query.glob)
        counted = [count for count in await searcher.count(place, query.glob) if matches(count.path)]
        counts = _readable(counted, place, access)
    lines = await _first_lines(query, access, searcher, counts)
    shown = sum(line.matched for line in lines)
    return Found(tuple(lines), shown, sum(count.lines for count in counts), len(counts), searcher.late)


async def _search_file(query: Query, access: Access, searcher: Engine, name: str) -> Found:
    with open_file(access, name) as file:
        found = await searcher.lines([(name, file.path, file.descriptor)], context=query.context, limit=query.limit)
    lines = _first(found, query.limit, query.context)
    total = sum(line.matched for line in found)
    return Found(tuple(lines), sum(line.matched for line in lines), total, min(total, 1), searcher.late)


def _readable(counts: list[Count], place: Place, access: Access) -> list[Count]:
    """Those that the caller may read, named as results name them and in their order."""
    namer = access.namer(place.path)
    named = [(name, count.lines) for count in counts if (name := namer(count.path)) is not None]
    return [Count(name, lines) for name, lines in sorted(named)]


async def _first_lines(query: Query, access: Access, searcher: Engine, counts: list[Count]) -> list[Line]:
    lines: list[Line] = []
    rest = counts
    while rest and sum(line.matched for line in lines) < query.limit:
        batch, rest = _batch(rest, query.limit)
        lines += await _print(batch, access, searcher, query)
    return _first(lines, query.limit, query.context)


def _batch(counts: list[Count], wanted: int) -> tuple[list[Count], list[Count]]:
    """As many files as hold the lines wanted, but not more than may be open at once."""
    taken = 0
    for index, count in enumerate(counts[:_FILES_AT_ONCE]):
        taken += count.lines
        if taken >= wanted:
            return counts[: index + 1], counts[index + 1 :]
    return counts[:_FILES_AT_ONCE], counts[_FILES_AT_ONCE:]


async def _print(batch: list[Count], access: Access, searcher: Engine, query: Query) -> list[Line]:
    with ExitStack() as stack:
        opened: list[tuple[str, Path, int]] = []
        for count in batch:
            try:
                file = stack.enter_context(open_file(access, count.path))
            except WorkspaceError:
                continue  # gone, or something else now: it has no matches that may be shown
            opened.append((count.path, file.path, file.descriptor))
        return await searcher.lines(opened, context=query.context, limit=query.limit) if opened else []


def _first(lines: list[Line], limit: int, context: int) -> list[Line]:
    """Up to the last matching line allowed, and the context after it."""
    matching = [index for index, line in enumerate(lines) if line.matched][:limit]
    if not matching:
        return []
    end = matching[-1] + 1
    while end < len(lines) and end <= matching[-1] + context and not lines[end].matched:
        end += 1
    return lines[:end]
