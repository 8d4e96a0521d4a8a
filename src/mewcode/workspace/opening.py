"""Opening a regular file for reading, and nothing else: never a FIFO, device or socket, never a wait."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.place import Place
from mewcode.workspace.scope_errors import from_os_error
from mewcode.workspace.suggestions import similar_names

_KINDS = {
    stat.S_IFIFO: "named pipe",
    stat.S_IFCHR: "character device",
    stat.S_IFBLK: "block device",
    stat.S_IFSOCK: "socket",
    stat.S_IFLNK: "symbolic link",
}


@dataclass(frozen=True)
class OpenFile:
    """A regular file, open for reading at its start."""

    descriptor: int
    path: Path
    status: os.stat_result

    @property
    def size(self) -> int:
        return self.status.st_size


@contextmanager
def open_file(access: Access, text: str) -> Generator[OpenFile, None, None]:
    """Opens `text` within `access`, for as long as the `with` lasts. Raises OutOfScopeError, WorkspaceError."""
    with access.locate(text) as place, open_place(place, text) as file:
        yield file


@contextmanager
def open_place(place: Place, text: str) -> Generator[OpenFile, None, None]:
    """Opens the file at a place that was found before; `text` is its name in errors."""
    found = place.stat()
    if found is None:
        raise WorkspaceError("workspace.not_found", path=text, hint=similar_names(place))
    refuse_special(found, text)
    try:
        # Without O_NONBLOCK, a FIFO put there since `stat` would be waited for.
        descriptor = place.open(os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise from_os_error(text, error) from error
    try:
        status = os.fstat(descriptor)
        refuse_special(status, text)
        yield OpenFile(descriptor, place.path, status)
    finally:
        os.close(descriptor)


def refuse_special(status: os.stat_result, text: str) -> None:
    """Raises WorkspaceError unless `status` is that of a regular file."""
    if stat.S_ISREG(status.st_mode):
        return
    if stat.S_ISDIR(status.st_mode):
        raise WorkspaceError("workspace.is_directory", path=text)
    kind = _KINDS.get(stat.S_IFMT(status.st_mode), "special file")
    raise WorkspaceError("workspace.special_file", path=text, kind=kind)
