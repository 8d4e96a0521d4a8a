"""Which content of which file a session has seen: what a write is checked against."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from mewcode.errors import WorkspaceError

HASHED_BYTES = 10 << 20
"""A file up to this size is remembered by its content; a larger one by its size and time of change only."""


@dataclass(frozen=True)
class Seen:
    """A file as it was. `digest` is the SHA-256 of its content in hex, None when it was too large to hash."""

    size: int
    modified_ns: int
    inode: int
    digest: str | None

    @classmethod
    def of(cls, status: os.stat_result, digest: str | None) -> "Seen":
        return cls(status.st_size, status.st_mtime_ns, status.st_ino, digest)


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digest_of_file(descriptor: int, size: int) -> str | None:
    """SHA-256 of an open file, or None when it is larger than HASHED_BYTES. Leaves the descriptor at the start."""
    if size > HASHED_BYTES:
        return None
    os.lseek(descriptor, 0, os.SEEK_SET)
    state = hashlib.sha256()
    while chunk := os.read(descriptor, 1 << 20):
        state.update(chunk)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return state.hexdigest()


class FilesRead:
    """By session and path. A session's record ends with it."""

    def __init__(self) -> None:
        self._sessions: dict[str, dict[Path, Seen]] = {}

    def record(self, session: str, path: Path, seen: Seen) -> None:
        self._sessions.setdefault(session, {})[path] = seen

    def forget(self, session: str, path: Path) -> None:
        self._sessions.get(session, {}).pop(path, None)

    def was_read(self, session: str, path: Path) -> bool:
        return path in self._sessions.get(session, {})

    def require(self, session: str, path: Path, now: Seen, shown: str) -> None:
        """Raises WorkspaceError unless the session saw the file as it is `now`."""
        seen = self._sessions.get(session, {}).get(path)
        if seen is None:
            raise WorkspaceError("workspace.not_read", path=shown)
        same_content = seen.digest is not None and seen.digest == now.digest
        same_file = (seen.size, seen.modified_ns, seen.inode) == (now.size, now.modified_ns, now.inode)
        if not (same_content or (same_file and None in (seen.digest, now.digest))):
            raise WorkspaceError("workspace.changed_since_read", path=shown)

    def end_session(self, session: str) -> None:
        self._sessions.pop(session, None)
