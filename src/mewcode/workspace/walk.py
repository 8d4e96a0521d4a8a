"""The walk from a root to a name, one directory descriptor at a time, links resolved by hand.

Nothing on the way is opened through a link, and nothing is opened by its full path: a link that is put in the place
of a directory between the check and the use leads nowhere, because the next step starts from the descriptor. Every
link's target and every `..` is followed only to where a root contains it, so not even the existence of a file
outside is told.
"""

import os
import stat
from collections import deque
from pathlib import Path

from mewcode.errors import WorkspaceError
from mewcode.workspace.place import DIRECTORY_FLAGS, Place
from mewcode.workspace.real_names import other_form, real_name
from mewcode.workspace.scope_errors import from_os_error
from mewcode.workspace.starting_point import starting_point

_MOST_LINKS = 40
"""As many links as Linux follows in one path (path_resolution(7))."""


def walk(text: str, roots: tuple[Path, ...]) -> Place:
    """Finds `text` (absolute, or relative to the first root). Close what it returns.

    The last part may be missing, and directories before it (`Place.missing`). Raises OutOfScopeError, WorkspaceError.
    """
    step = _Walk(text, roots)
    try:
        return step.run()
    except OSError as error:
        raise from_os_error(text, error) from error
    finally:
        step.close()


class _Walk:
    def __init__(self, text: str, roots: tuple[Path, ...]) -> None:
        self.text = text
        self.roots = roots
        self.links = 0
        self.root = roots[0]
        self.names: list[str] = []
        self.open: list[int] = []
        self.pending: deque[str] = deque()

    def run(self) -> Place:
        self._start_at(self.text)
        while self.pending:
            part = self.pending.popleft()
            if part in ("", "."):
                continue
            if part == "..":
                self._up()
                continue
            place = self._down(part)
            if place is not None:
                return place
        return self._place("")

    def close(self) -> None:
        for descriptor in self.open:
            os.close(descriptor)
        self.open.clear()

    def _start_at(self, text: str) -> None:
        self.close()
        self.names.clear()
        self.root, parts = starting_point(text, self.roots, shown=self.text)
        self.pending = deque(parts)
        self.open.append(os.open(self.root, DIRECTORY_FLAGS))

    def _up(self) -> None:
        if self.names:
            self.names.pop()
            os.close(self.open.pop())
            return
        self._count_link()
        self._start_at("/".join([str(self.root.parent).rstrip("/"), *self.pending]) or "/")

    def _down(self, part: str) -> Place | None:
        """Goes one step further; returns the place once the walk is over."""
        top = self.open[-1]
        found = self._look(part)
        if found is None and (stored := other_form(top, part)) is not None:
            part, found = stored, self._look(stored)
        if found is None:
            return self._missing(part)
        if stat.S_ISLNK(found.st_mode):
            self._follow(os.readlink(part, dir_fd=top))
            return None
        name = real_name(top, part, found)
        if stat.S_ISDIR(found.st_mode):
            self._enter(part, name)
            return None
        if any(rest not in ("", ".") for rest in self.pending):
            raise WorkspaceError("workspace.not_a_directory", path=self._path_of(name))
        return self._place(name)

    def _look(self, part: str) -> os.stat_result | None:
        try:
            return os.stat(part, dir_fd=self.open[-1], follow_symlinks=False)
        except FileNotFoundError:
            return None

    def _enter(self, part: str, name: str) -> None:
        try:
            self.open.append(os.open(part, DIRECTORY_FLAGS, dir_fd=self.open[-1]))
            self.names.append(name)
        except (NotADirectoryError, FileNotFoundError, OSError) as error:
            if isinstance(error, PermissionError):
                raise
            # Something else took its place since it was looked at: look again.
            self._count_link()
            self.pending.appendleft(part)

    def _follow(self, target: str) -> None:
        self._count_link()
        if target.startswith("/"):
            self._start_at("/".join([target.rstrip("/"), *self.pending]) or "/")
            return
        self.pending.extendleft(reversed(target.split("/")))

    def _count_link(self) -> None:
        self.links += 1
        if self.links > _MOST_LINKS:
            raise WorkspaceError("workspace.too_many_links", path=self.text)

    def _missing(self, part: str) -> Place:
        rest = [name for name in self.pending if name not in ("", ".")]
        if ".." in rest:
            raise WorkspaceError("workspace.not_found", path=self._path_of(part), hint="")
        missing = (part, *rest)
        return self._place(missing[-1], missing[:-1])

    def _path_of(self, *more: str) -> Path:
        return self.root.joinpath(*self.names, *more)

    def _place(self, name: str, missing: tuple[str, ...] = ()) -> Place:
        path = self._path_of(*missing, name) if name else self._path_of()
        return Place(path=path, root=self.root, directory=self.open.pop(), name=name, missing=missing)
