"""Reads a settings file's text, whatever somebody put in its place."""

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from mewcode.config.place import Place, ScopeName
from mewcode.errors import SettingsError

MAX_BYTES = 256 * 1024
"""A settings file is written by people: a few kilobytes."""


@dataclass(frozen=True)
class SourceText:
    """A file's text with plain line ends and without a byte order mark."""

    text: str
    file: Path
    scope: ScopeName

    def place(self, line: int, column: int) -> Place:
        return Place(self.scope, str(self.file), line, column)


class UnreadableError(SettingsError):
    """The file as a whole cannot be used; `place` says where reading ended."""

    def __init__(self, code: str, place: Place, **values: object) -> None:
        super().__init__(code, **values)
        self.place = place


def read_source(file: Path, scope: ScopeName) -> SourceText | None:
    """None when there is no such file. Raises UnreadableError for everything that is no readable text file."""
    place = Place(scope, str(file))
    try:
        data = _read_regular(file, place)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        return None
    except OSError as error:
        code = "config.is_directory" if error.errno == errno.EISDIR else "config.unreadable"
        raise UnreadableError(code, place, file=file, reason=os.strerror(error.errno or 0)) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        where = Place(scope, str(file), line, error.start - (data.rfind(b"\n", 0, error.start)))
        raise UnreadableError("config.not_utf8", where, file=file, line=line) from None
    return SourceText(text.replace("\r\n", "\n").replace("\r", "\n"), file, scope)


def _read_regular(file: Path, place: Place) -> bytes:
    """Never waits: a FIFO or device in the file's place is refused before its content is touched."""
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(descriptor, "rb") as stream:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "is a directory")
        if not stat.S_ISREG(mode):
            raise UnreadableError("config.not_regular", place, file=file)
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UnreadableError("config.too_large", place, file=file, limit=MAX_BYTES // 1024)
    return data
