"""The program of the watchdog: ends the servers of a MewCode that died without ending them itself.

Run as a script with nothing but the standard library. It reads lines from standard input: `+PID` begins to watch a
process group, `-PID` ends that. When the input ends, its MewCode is gone, and so shall be what is still watched.

A server may end at the same moment, its own input having ended too, and what it had started is nobody's child then.
So on Linux, where such processes are the server's until then (adopt.py), it looks every second who is there.
"""

import contextlib
import importlib
import os
import select
import signal
import sys
import time
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

GRACE = 1.0
"""Seconds between asking and ending."""
PAUSE = 1.0
"""Seconds from one look to the next."""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    watched: set[int] = set()
    seen: dict[int, int] = {}
    """Processes below the watched ones, with the time of their start."""
    for line in lines_or_pauses():
        if line:
            pid = int(line[1:])
            watched.add(pid) if line[0] == "+" else watched.discard(pid)
        elif watched:
            look(watched, seen)
    if not watched:
        return
    below = below_of(watched) | {pid for pid, start in seen.items() if started_at(pid) == start}
    end(watched, below, signal.SIGTERM)
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline and any(alive(pid) for pid in watched | below):
        time.sleep(0.02)
        below |= below_of(watched | below)
    end(watched, below, signal.SIGKILL)


def lines_or_pauses() -> "Iterator[str]":
    """The lines of the input as they come; on Linux an empty one whenever there was none for a while."""
    pause = PAUSE if sys.platform == "linux" else None
    rest = b""
    while True:
        if not select.select([0], [], [], pause)[0]:
            yield ""
            continue
        received = os.read(0, 65_536)
        if not received:
            return
        *lines, rest = (rest + received).split(b"\n")
        yield from (line.decode() for line in lines)


def look(watched: set[int], seen: dict[int, int]) -> None:
    """Forgets who has ended, and remembers who is there."""
    for pid in [pid for pid, start in seen.items() if started_at(pid) != start]:
        del seen[pid]
    for pid in below_of(watched | seen.keys()):
        start = started_at(pid)
        if start is not None:
            seen[pid] = start


def end(groups: set[int], others: set[int], how: signal.Signals) -> None:
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, how)
    for pid in others:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, how)


def below_of(roots: set[int]) -> set[int]:
    """`descendants` of the file beside this one: the package itself is not there in the watchdog's interpreter."""
    found: set[int] = importlib.import_module("descendants").descendants(roots)
    return found


def started_at(pid: int) -> int | None:
    start: int | None = importlib.import_module("descendants").started_at(pid)
    return start


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
