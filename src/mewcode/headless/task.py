"""The task of a run: the argument, what is piped in, or both."""

import select
import stat
import sys
from dataclasses import dataclass
from typing import BinaryIO

from mewcode.errors import UsageError

MAX_BYTES = 10 * 1024 * 1024

FIRST_BYTE_SECONDS = 3.0
"""How long a pipe that nobody writes to is waited for when there is a task without it (a CI job's open stdin)."""


@dataclass(frozen=True)
class Task:
    """`text` is what the person asks; `piped` is what came over standard input beside it."""

    text: str
    piped: str = ""


def read_task(argument: str | None, stdin: BinaryIO | None) -> Task:
    """Joins the argument and standard input. Blocks until standard input ends: call it in a thread.

    Raises UsageError when there is neither, or when more than 10 MB are piped in.
    """
    words = (argument or "").strip()
    if words == "-":
        words = ""
    piped = _piped(stdin, bool(words)).strip()
    if not words and not piped:
        raise UsageError("headless.no_task")
    return Task(words, piped) if words else Task(piped)


def _piped(stdin: BinaryIO | None, has_words: bool) -> str:
    if stdin is None or stdin.closed or stdin.isatty():
        return ""
    if has_words and not _will_come(stdin):
        return ""
    data = stdin.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UsageError("headless.stdin_too_large", limit=MAX_BYTES // (1024 * 1024))
    return data.decode("utf-8-sig", "replace")


def _will_come(stdin: BinaryIO) -> bool:
    """Whether something, or the end, comes soon. A file is always ready; select cannot ask pipes on Windows."""
    if sys.platform == "win32":
        return True
    try:
        if stat.S_ISREG(_mode(stdin)):
            return True
        ready, _, _ = select.select([stdin], [], [], FIRST_BYTE_SECONDS)
    except (OSError, ValueError):
        return True
    return bool(ready)


def _mode(stdin: BinaryIO) -> int:
    import os

    return os.fstat(stdin.fileno()).st_mode
