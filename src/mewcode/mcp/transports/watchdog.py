"""A small process that outlives MewCode just long enough to end its servers, should MewCode be killed.

A parent-death signal reaches the direct child only, and only on Linux; servers are often wrappers (`npx`, `uvx`) whose
child does the work. The watchdog ends whole process groups, on every POSIX system, also after SIGKILL.
"""

import contextlib
import subprocess
import sys
from pathlib import Path


class Watchdog:
    """Started with the first process it is to watch. One per `MCPManager`."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def watch(self, pid: int) -> None:
        """Ends the process group `pid` and all below it when this process dies."""
        self._say(f"+{pid}\n")

    def forget(self, pid: int) -> None:
        """`pid` has ended by other means."""
        self._say(f"-{pid}\n")

    def close(self) -> None:
        """Lets the watchdog end; whatever it still watches is ended with it."""
        process, self._process = self._process, None
        if process is None or process.stdin is None:
            return
        with contextlib.suppress(OSError):
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=3)

    def _say(self, line: str) -> None:
        if sys.platform == "win32":
            return
        if self._process is None or self._process.poll() is not None:
            if line.startswith("-"):
                return
            self._process = _start()
        if self._process.stdin is None:
            return
        with contextlib.suppress(OSError):
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()


def _start() -> "subprocess.Popen[bytes]":
    program = Path(__file__).with_name("watchdog_process.py")
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
