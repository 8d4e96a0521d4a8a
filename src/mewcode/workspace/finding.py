"""Finding files by name."""

import os
from dataclasses import dataclass
from typing import Literal

import anyio.to_thread

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.capture import capture
from mewcode.workspace.globs import glob_matcher
from mewcode.workspace.place import Place
from mewcode.workspace.python_listing import list_files
from mewcode.workspace.ripgrep import base_arguments, find_ripgrep, ripgrep_environment
from mewcode.workspace.ripgrep_engine import descriptors_of, directory_of

Order = Literal["newest", "name"]
_MOST_OUTPUT = 64 << 20


@dataclass(frozen=True)
class Files:
    """Names as results show them, the first `limit`; `total` counts all; `incomplete`: the deadline came first."""

    names: tuple[str, ...]
    total: int
    incomplete: bool


async def find_files(
    pattern: str, access: Access, *, path: str = ".", order: Order = "newest", limit: int = 200, deadline: float = 10.0
) -> Files:
    """Files (no directories, no links) beneath `path` whose path there matches the glob, .gitignore honoured.

    A pattern without a slash matches at any depth. Raises WorkspaceError, OutOfScopeError.
    """
    with access.locate(path) as place:
        if place.name:
            raise WorkspaceError("workspace.not_a_directory", path=path)
        found, incomplete = await _listed(place, pattern, deadline)
        matches = glob_matcher(pattern)
        namer = access.namer(place.path)
        readable = [name for name in found if matches(name) and namer(name) is not None]
        ordered = (
            sorted(readable) if order == "name" else await anyio.to_thread.run_sync(_newest_first, place, readable)
        )
        names = tuple(name for name in map(namer, ordered[:limit]) if name is not None)
        return Files(names, len(readable), incomplete)


async def _listed(place: Place, pattern: str, deadline: float) -> tuple[list[str], bool]:
    program = find_ripgrep()
    if program is None:
        return await list_files(place, deadline)
    result = await capture(
        [program, *base_arguments(pattern), "--files", "--null", "--", "."],
        cwd=directory_of(place),
        environment=ripgrep_environment(),
        deadline=deadline,
        limit=_MOST_OUTPUT,
        descriptors=descriptors_of(place),
    )
    if result.code == 2 and result.errors and not result.output:
        raise WorkspaceError("workspace.bad_query", reason=result.errors)
    names = [os.fsdecode(name.removeprefix(b"./")) for name in result.output.split(b"\0") if name]
    return names, result.late or result.cut


def _newest_first(place: Place, names: list[str]) -> list[str]:
    return [name for _, name in sorted((-_modified(place, name), name) for name in names)]


def _modified(place: Place, name: str) -> int:
    try:
        if place.directory is None:
            return (place.path / name).lstat().st_mtime_ns
        return os.stat(name, dir_fd=place.directory, follow_symlinks=False).st_mtime_ns
    except OSError:
        return 0
