"""What a server writes to its standard error: the last of it in memory, more of it in a log file."""

from collections import deque
from collections.abc import Callable
from pathlib import Path

KEPT_LINES = 100
LONGEST_LINE = 2_000
"""Characters of a line that is kept in memory."""
LARGEST_LOG = 4 * 1024 * 1024
"""Bytes after which the log file is turned over; one older file is kept."""


class StandardError:
    """Takes bytes as they come. `hide` removes secrets before anything is kept."""

    def __init__(self, log: Path | None, hide: Callable[[str], str]) -> None:
        self._log = log
        self._hide = hide
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._rest = ""
        self._written = -1

    def feed(self, chunk: bytes) -> None:
        """Keeps what is complete; the end of an unfinished line waits for the next chunk."""
        text = self._rest + chunk.decode("utf-8", "replace")
        *lines, self._rest = text.split("\n")
        if len(self._rest) > LONGEST_LINE:
            lines.append(self._rest)
            self._rest = ""
        shown = [self._hide(line.rstrip("\r")) for line in lines]
        self._lines.extend(line[:LONGEST_LINE] for line in shown[-KEPT_LINES:])
        self._write(shown)

    def tail(self, lines: int = 10) -> str:
        """The last lines, newest last."""
        kept = [line for line in [*self._lines, self._hide(self._rest)] if line.strip()]
        return "\n".join(kept[-lines:])

    def _write(self, lines: list[str]) -> None:
        if self._log is None or not lines:
            return
        data = ("\n".join(lines) + "\n").encode("utf-8", "replace")
        try:
            if self._written < 0:
                self._log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._written = self._log.stat().st_size if self._log.exists() else 0
            if self._written + len(data) > LARGEST_LOG:
                self._log.replace(self._log.with_suffix(".log.1")) if self._log.exists() else None
                self._written = 0
            with self._log.open("ab") as file:
                file.write(data[-LARGEST_LOG:])
            self._written += len(data)
        except OSError:
            self._log = None
