"""The part of a root that read and write patterns leave: what a sandbox shows of it."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.patterns import EVERYTHING

_WHOLE_FOLDER = re.compile(r"/?((?:[^*?\[\]!\\#/]+/)+)\*\*|/((?:[^*?\[\]!\\#/]+/)+)")
_MOST_FILES = 2_000
"""Each is a mount of its own; more would slow every command."""


def closed_parts(access: Access) -> tuple[tuple[Path, ...], tuple[Path, ...]] | None:
    """What is taken out of roots that are otherwise open: places not to be read, and places not to be written; None
    where the patterns list what is in instead. New files may then be made wherever nothing is taken out.

    Raises WorkspaceError where patterns take out more places than a sandbox can hide.
    """
    if not (_only_takes_out(access.read) and _only_takes_out(access.write)):
        return None
    unreadable = tuple(part for root in access.roots for part in _taken_out(root, access.read, access.may_read))
    fixed = (part for root in access.roots for part in _taken_out(root, access.write, access.may_write))
    return unreadable, tuple(part for part in fixed if not any(p in unreadable for p in (part, *part.parents)))


def _only_takes_out(patterns: tuple[str, ...]) -> bool:
    """Everything, less some: what stands after the first pattern only takes out, or names what was approved."""
    return patterns[:1] == EVERYTHING


def _taken_out(root: Path, patterns: tuple[str, ...], may: Callable[[Path], bool]) -> Iterator[Path]:
    """Folders that a pattern takes out whole, and the single files beside them."""
    if patterns == EVERYTHING:
        return
    again = any(not text.startswith("!") for text in patterns[1:])
    named = [None if again else _folder(text[1:]) for text in patterns[1:]]
    folders = [folder for name in named if name and (folder := root / name).is_dir() and not folder.is_symlink()]
    yield from folders
    if None not in named:
        return
    for count, path in enumerate(_files(root, lambda path: not may(path), folders)):
        if count >= _MOST_FILES:
            raise WorkspaceError("sandbox.too_many_files", root=root, most=_MOST_FILES)
        yield path


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
        for count, path in enumerate(_files(root, may)):
            if count >= _MOST_FILES:
                raise WorkspaceError("sandbox.too_many_files", root=root, most=_MOST_FILES)
            yield path
        return
    for folder in folders:
        path = (root / (folder or "")).resolve()
        if path.is_dir() and root in path.parents:
            yield path


def _folder(pattern: str) -> str | None:
    """The folder that a pattern names as a whole: `src/billing/**`."""
    found = _WHOLE_FOLDER.fullmatch(pattern)
    return (found[1] or found[2]) if found else None


def _files(root: Path, picks: Callable[[Path], bool], besides: Sequence[Path] = ()) -> Iterator[Path]:
    """The files that are picked, but for those in the folders `besides`."""
    for folder, folders, names in os.walk(root):
        here = Path(folder)
        folders[:] = [name for name in folders if here / name not in besides]
        yield from (path for name in names if not (path := here / name).is_symlink() and picks(path))
