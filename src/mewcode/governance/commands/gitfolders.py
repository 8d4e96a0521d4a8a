"""The git folders that a git command reads settings and hooks from: the repository's, and those of its submodules."""

import re
from collections.abc import Iterator
from pathlib import Path

_LARGEST_INDEX = 256 << 20
_MOST = 500
"""Submodules, nested ones included; a repository with more is not looked through."""
_GITLINK = re.compile(rb"\x00\x00\xe0\x00")
"""The mode 160000 in an entry of the index (gitformat-index): a submodule."""
_MODE_AT, _FLAGS_AT, _NAME_AT = 24, 60, 62
_EXTENDED = 0x4000


class UnreadableError(Exception):
    """What the repository holds cannot be told."""


def git_folders(directory: Path) -> Iterator[Path]:
    """The git folder of the repository around `directory`, then those of the submodules that are checked out: git runs
    itself in each of them on a mere `git status`. Raises UnreadableError where they cannot be told."""
    top = _around(directory)
    waiting = [top] if top is not None else []
    for count, (tree, folder) in enumerate(waiting):
        if count >= _MOST:
            raise UnreadableError
        yield folder
        if tree is not None:
            waiting.extend(_submodules(tree, folder))


def _around(directory: Path) -> tuple[Path | None, Path] | None:
    """Work tree and git folder; a bare repository has no work tree."""
    try:
        resolved = directory.resolve()
    except (OSError, RuntimeError):
        return None
    for place in (resolved, *resolved.parents):
        if (folder := _of_tree(place)) is not None:
            return place, folder
        if (place / "HEAD").is_file() and (place / "objects").is_dir():
            return None, place
    return None


def _of_tree(tree: Path) -> Path | None:
    """The git folder of a work tree, through a `.git` file of a worktree or submodule."""
    folder = tree / ".git"
    if folder.is_file():
        try:
            text = folder.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise UnreadableError from error
        folder = tree / text.partition("gitdir:")[2].strip()
    return folder if folder.is_dir() else None


def _submodules(tree: Path, folder: Path) -> Iterator[tuple[Path, Path]]:
    for index in (folder / "index", *folder.glob("sharedindex.*")):
        for name in _gitlinks(index):
            place = tree / name
            if (inner := _of_tree(place)) is not None:
                yield place, inner


def _gitlinks(index: Path) -> Iterator[str]:
    """Paths of the submodules in an index. What only looks like one leads nowhere."""
    try:
        if index.stat().st_size > _LARGEST_INDEX:
            raise UnreadableError
        content = index.read_bytes()
    except OSError:
        return
    version = int.from_bytes(content[4:8], "big")
    for found in _GITLINK.finditer(content):
        if version not in (2, 3):
            raise UnreadableError  # names are compressed in version 4
        start = found.start() - _MODE_AT
        flags = int.from_bytes(content[start + _FLAGS_AT : start + _NAME_AT], "big")
        name = content[start + _NAME_AT + (2 if flags & _EXTENDED else 0) :][:4_096].partition(b"\0")[0]
        yield name.decode("utf-8", "surrogateescape")
