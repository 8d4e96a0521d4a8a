"""One session on disk: an append-only file of JSON lines that survives the death of its writer at any byte."""

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

from mewcode.agent.file_lock import lock_or_refuse

Record: TypeAlias = dict[str, Any]


class Journal:
    """Holds the file open and locked, so that two processes never write one session.

    A record reaches the kernel before `append` returns: it survives `kill -9`. `sync` also makes it survive a power
    cut, and is called at the end of a turn rather than at each step, since it costs milliseconds.
    """

    def __init__(self, path: Path) -> None:
        """Opens or creates `path` (mode 0600) and drops a torn last line.

        Raises SessionError when another process has it open, OSError when it cannot be written.
        """
        self.path = path
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
        self._file = os.fdopen(os.open(path, flags, 0o600), "r+b")
        try:
            lock_or_refuse(self._file, path)
            self._drop_torn_line()
        except BaseException:
            self._file.close()
            raise

    def append(self, record: Record) -> None:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
        self._file.write(line.encode("utf-8", "surrogatepass"))
        self._file.flush()

    def sync(self) -> None:
        with contextlib.suppress(OSError):
            os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _drop_torn_line(self) -> None:
        end = self._file.seek(0, os.SEEK_END)
        if end == 0:
            return
        whole = _end_of_last_line(self._file, end)
        if whole < end:
            self._file.truncate(whole)
        self._file.seek(0, os.SEEK_END)


def read_records(path: Path) -> Iterator[Record]:
    """The whole records of a session, in order. A line that does not parse ends the reading only when it is the last;
    elsewhere it is skipped, so that one bad line does not lose a session."""
    with path.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                return
            record = _parsed(line)
            if record is not None:
                yield record


def _parsed(line: bytes) -> Record | None:
    try:
        value: object = json.loads(line.decode("utf-8", "surrogatepass"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType]


def _end_of_last_line(file: Any, end: int, block: int = 65_536) -> int:
    """The offset just behind the last newline; 0 when there is none."""
    position = end
    while position > 0:
        start = max(0, position - block)
        file.seek(start)
        found = file.read(position - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        position = start
    return 0
