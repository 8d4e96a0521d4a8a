"""Writing files for a session: checked against what it read, kept in checkpoints, told with hashes."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.files_read import HASHED_BYTES, FilesRead, Seen, digest_of
from mewcode.workspace.opening import OpenFile, open_place
from mewcode.workspace.place import Place
from mewcode.workspace.text_files import read_whole
from mewcode.workspace.writing import replace_file


class History(Protocol):
    """Where the old content goes before it is replaced (workspace/checkpoints.py)."""

    def before_write(self, session: str, step: str, path: Path, data: bytes | None, mode: int | None) -> None: ...

    def after_write(self, session: str, step: str, path: Path, digest: str) -> None: ...


@dataclass(frozen=True)
class Written:
    """A file that was written: its hashes (SHA-256, hex; `before` None for a new file) and old content."""

    path: Path
    before: str | None
    after: str
    old: bytes | None


class FileWriter:
    """The one way in which tools write files."""

    def __init__(self, seen: FilesRead, history: History | None = None) -> None:
        self._seen = seen
        self._history = history

    def create_or_replace(self, access: Access, session: str, step: str, text: str, data: bytes) -> Written:
        """Writes `data` to `text`; an existing file must have been read by this session as it is now."""
        with access.locate(text, for_writing=True) as place:
            if place.stat() is None:
                return self._write(place, session, step, text, data, None, None)
            with open_place(place, text) as file:
                status = file.status
                old = _old_content(file, text)
                now = Seen.of(file.status, digest_of(old) if len(old) <= HASHED_BYTES else None)
                self._seen.require(session, place.path, now, text)
            return self._write(place, session, step, text, data, old, status)

    def write_at(
        self, place: Place, session: str, step: str, text: str, data: bytes, old: bytes, status: os.stat_result
    ) -> Written:
        """Replaces the content of a place that held `old`, with this status, when the caller read it just now."""
        return self._write(place, session, step, text, data, old, status)

    def _write(
        self,
        place: Place,
        session: str,
        step: str,
        text: str,
        data: bytes,
        old: bytes | None,
        status: os.stat_result | None,
    ) -> Written:
        found = place.stat()
        if _identity(found) != _identity(status):
            raise WorkspaceError("workspace.changed_meanwhile", path=text)
        if self._history:
            self._history.before_write(session, step, place.path, old, found.st_mode & 0o7777 if found else None)
        new = replace_file(place, data, text)
        after = digest_of(data)
        if self._history:
            self._history.after_write(session, step, place.path, after)
        self._seen.record(session, place.path, Seen.of(new, after))
        return Written(place.path, None if old is None else digest_of(old), after, old)


_MOST_KEPT = 256 << 20
"""A file larger than this is not replaced: its old content could not be kept for /rewind."""


def _identity(status: os.stat_result | None) -> tuple[int, int, int] | None:
    return None if status is None else (status.st_ino, status.st_size, status.st_mtime_ns)


def _old_content(file: OpenFile, text: str) -> bytes:
    return read_whole(file, text, _MOST_KEPT)
