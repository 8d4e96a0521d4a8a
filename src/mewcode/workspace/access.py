"""What a caller may touch: roots, read-only roots, and patterns for reading and writing."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mewcode.errors import WorkspaceError
from mewcode.workspace.patterns import EVERYTHING, matches
from mewcode.workspace.place import HAS_DIRECTORY_DESCRIPTORS, Place
from mewcode.workspace.plain_walk import plain_walk
from mewcode.workspace.scope_errors import OutOfScopeError
from mewcode.workspace.walk import walk

_LONGEST_PATH = 4_096
"""Bytes; PATH_MAX of Linux."""


@dataclass(frozen=True)
class ResolvedPath:
    """Where a path really leads. `relative` is the path under `root`, with `/` between parts."""

    path: Path
    root: Path
    relative: str
    exists: bool


@dataclass(frozen=True)
class Access:
    """Roots are absolute and resolved; patterns are gitignore patterns under a root (workspace/patterns.py).

    Every file that a tool opens is found through `locate`. Hard links are what they are: reading one reads a file
    that the user could read anyway, and writing replaces the name, never the other names' content. What is mounted
    beneath a root belongs to it; only the kernel's own /proc does not.
    """

    roots: tuple[Path, ...]
    read_only_roots: tuple[Path, ...] = ()
    read: tuple[str, ...] = EVERYTHING
    write: tuple[str, ...] = EVERYTHING

    def locate(self, text: str, *, for_writing: bool = False) -> Place:
        """The checked place that `text` leads to, to be opened and closed by the caller (`with access.locate(…)`).

        Relative paths start at the first root; `~` is the home directory. Raises OutOfScopeError for what this
        caller may not touch, WorkspaceError for what cannot be.
        """
        if not self._all_roots:
            raise OutOfScopeError("workspace.no_roots")
        spelled = _checked(text)
        place = (walk if HAS_DIRECTORY_DESCRIPTORS else plain_walk)(spelled, self._all_roots)
        try:
            self._permit(place, text, for_writing)
        except WorkspaceError:
            place.close()
            raise
        return place

    def resolve(self, text: str, *, for_writing: bool = False) -> ResolvedPath:
        """Where `text` leads, for judging and showing; to use it, `locate` it. Raises what `locate` raises."""
        with self.locate(text, for_writing=for_writing) as place:
            owner = self.root_of(place.path) or place.root
            relative = place.path.relative_to(owner).as_posix()
            return ResolvedPath(place.path, owner, relative, place.stat() is not None)

    def may_read(self, path: Path) -> bool:
        """Whether a resolved path is in the read scope."""
        root = self.root_of(path)
        return root is not None and (path == root or matches(self.read, path.relative_to(root).as_posix()))

    def may_write(self, path: Path) -> bool:
        root = self.root_of(path)
        return root in self.roots and self.may_read(path) and matches(self.write, _under(path, root))

    def root_of(self, path: Path) -> Path | None:
        """The innermost root around a resolved path; a read-only root wins over the same root."""
        around = [root for root in (*self.read_only_roots, *self.roots) if path == root or root in path.parents]
        return max(around, key=lambda root: len(root.parts), default=None)

    def shown(self, path: Path) -> str:
        """A path as results name it: relative to the first root where it lies under it, else absolute."""
        first = self.roots[0] if self.roots else None
        if first is not None and (path == first or first in path.parents):
            return path.relative_to(first).as_posix()
        return str(path)

    def namer(self, directory: Path) -> Callable[[str], str | None]:
        """For names relative to a resolved directory: how results name them, or None for what may not be read.

        As `may_read` and `shown`, but quick enough for a hundred thousand names.
        """
        root = self.root_of(directory)
        if root is None or any(directory in other.parents for other in self._all_roots):
            return lambda name: self.shown(directory / name) if self.may_read(directory / name) else None
        inner = _prefix(directory.relative_to(root).as_posix())
        shown = _prefix(self.shown(directory))
        return lambda name: shown + name if matches(self.read, inner + name) else None

    @cached_property
    def _all_roots(self) -> tuple[Path, ...]:
        return (*self.roots, *self.read_only_roots)

    def _permit(self, place: Place, text: str, for_writing: bool) -> None:
        root = self.root_of(place.path)
        if root is None:
            raise OutOfScopeError("workspace.outside", path=text, roots=", ".join(map(str, self._all_roots)))
        if _is_kernel_file(place.path):
            raise OutOfScopeError("workspace.special_file", path=text, kind="file of the kernel")
        inner = _under(place.path, root)
        directory = place.path == root or (not for_writing and _is_directory(place))
        if not directory and not matches(self.read, inner):
            raise OutOfScopeError("workspace.not_in_read_scope", path=text)
        if not for_writing:
            return
        if root in self.read_only_roots:
            raise OutOfScopeError("workspace.read_only_root", path=text, root=root)
        if not matches(self.write, inner):
            raise OutOfScopeError("workspace.not_in_write_scope", path=text)


def _checked(text: str) -> str:
    if not text.strip():
        raise WorkspaceError("workspace.bad_path", path=repr(text), reason="it is empty")
    if "\0" in text:
        raise WorkspaceError("workspace.bad_path", path=repr(text), reason="it holds a NUL character")
    try:
        length = len(os.fsencode(text))
    except UnicodeEncodeError as error:
        raise WorkspaceError("workspace.bad_path", path=ascii(text), reason="it is not encodable") from error
    if length > _LONGEST_PATH:
        raise WorkspaceError("workspace.bad_path", path=f"{text[:60]}…", reason=f"it has {length} bytes")
    # A file that is really named "~" is reached as "./~".
    return os.path.expanduser(text) if text.startswith("~") else text  # noqa: PTH111


def _prefix(folder: str) -> str:
    return "" if folder == "." else f"{folder.rstrip('/')}/"


def _under(path: Path, root: Path | None) -> str:
    return "." if root is None else path.relative_to(root).as_posix()


def _is_kernel_file(path: Path) -> bool:
    """/proc holds this very process's environment, with its keys."""
    return path.parts[:2] == ("/", "proc")


def _is_directory(place: Place) -> bool:
    return place.path.is_dir() if place.directory is None else not place.name
