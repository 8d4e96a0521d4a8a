"""The part of a root that read and write patterns leave: what a sandbox shows of it."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.patterns import EVERYTHING

_WHOLE_FOLDER = re.compile(r"/?((?:[^*?\[\]!\\#/]+/)+)\*\*|/((?:[^*?\[\]!\\#/]+/)+)")
_MOST_FILES = 2_000
"""Each is a mount of its own; more would slow every command."""


def is_narrowed(access: Access) -> bool:
    """Whether the caller may see or write less than its roots."""
    return access.read != EVERYTHING or access.write != EVERYTHING


def visible_parts(access: Access) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The paths that may be read and those that may be written, whole folders where a pattern names one.

    Raises WorkspaceError where patterns pick more single files than a sandbox can show.
    """
    read = [path for root in access.roots for path in _picked(root, access.read, access.may_read)]
    write = [path for root in access.roots for path in _picked(root, access.write, access.may_write)]
    return tuple(read), tuple(part for path in write for part in _common(path, read))


def _common(path: Path, read: list[Path]) -> Iterator[Path]:
    """What of a writable path may be read too: a sandbox shows what it lets write."""
    if any(place == path or place in path.parents for place in read):
        yield path
    else:
        yield from (place for place in read if path in place.parents)


def _picked(root: Path, patterns: tuple[str, ...], may: Callable[[Path], bool]) -> Iterator[Path]:
    if patterns == EVERYTHING:
        yield root
        return
    folders = [_folder(pattern) for pattern in patterns]
    if None in folders:
        yield from _files(root, may)
        return
    for folder in folders:
        path = (root / (folder or "")).resolve()
        if path.is_dir() and root in path.parents:
            yield path


def _folder(pattern: str) -> str | None:
    """The folder that a pattern names as a whole: `src/billing/**`."""
    found = _WHOLE_FOLDER.fullmatch(pattern)
    return (found[1] or found[2]) if found else None


def _files(root: Path, may: Callable[[Path], bool]) -> Iterator[Path]:
    files = (Path(folder) / name for folder, _, names in os.walk(root) for name in names)
    picked = (path for path in files if not path.is_symlink() and may(path))
    for count, path in enumerate(picked):
        if count >= _MOST_FILES:
            raise WorkspaceError("sandbox.too_many_files", root=root, most=_MOST_FILES)
        yield path
