"""The program of the watchdog: ends the servers of a MewCode that died without ending them itself.

Run as a script with nothing but the standard library. It reads lines from standard input: `+PID` begins to watch a
process group, `-PID` ends that. When the input ends, its MewCode is gone, and so shall be what is still watched.
"""

import contextlib
import importlib
import os
import signal
import sys
import time
from pathlib import Path

GRACE = 1.0
"""Seconds between asking and ending."""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    watched: set[int] = set()
    for line in sys.stdin:
        pid = int(line[1:])
        watched.add(pid) if line[0] == "+" else watched.discard(pid)
    if not watched:
        return
    below = below_of(watched)
    end(watched, below, signal.SIGTERM)
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline and any(alive(pid) for pid in watched | below):
        time.sleep(0.02)
        below |= below_of(watched | below)
    end(watched, below, signal.SIGKILL)


def end(groups: set[int], others: set[int], how: signal.Signals) -> None:
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, how)
    for pid in others:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, how)


def below_of(roots: set[int]) -> set[int]:
    """`descendants` of the file beside this one: the package itself is not there in the watchdog's interpreter."""
    module = importlib.import_module("descendants")
    found: set[int] = module.descendants(roots)
    return found


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
