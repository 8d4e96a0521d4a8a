"""A program that runs a command and sees to it that nothing of it is left. It imports nothing of MewCode.

    supervisor.py LIFELINE STATUS OUTPUT CAP -- COMMAND...

It stands between MewCode and the command. When MewCode closes the pipe LIFELINE, or dies, even by SIGKILL, the whole
tree of processes gets SIGTERM, then SIGKILL. On Linux it adopts orphans (prctl(2), PR_SET_CHILD_SUBREAPER), so that
children that made a session of their own are found too. Into the pipe STATUS go JSON lines: {"pid"} at the start,
{"code", "left"} at the end: the exit status (128 + signal) and how many processes were still there to be ended.
With OUTPUT other than -1, what the command prints goes to that descriptor, at most CAP bytes of it.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import time

_GRACE = 2.0
"""Seconds between SIGTERM and SIGKILL."""
_MOST_SECONDS_KILLING = 5.0
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LINUX = sys.platform == "linux"


class Supervisor:
    def __init__(self, lifeline: int, status: int, output: int, cap: int) -> None:
        self.lifeline = lifeline
        self.status = status
        self.output = output
        self.room = cap
        self.child = 0
        self.code: int | None = None

    def run(self, command: list[str]) -> int:
        wake, woken = os.pipe()
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(woken)
        signal.signal(signal.SIGCHLD, _wake_only)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, _wake_only)
        libc = ctypes.CDLL(None, use_errno=True) if _LINUX else None
        if libc:
            libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        printed = self._start(command, libc)
        self._tell({"pid": self.child})
        self._wait(wake, printed)
        left = self._end_rest()
        self._drain(printed)
        self._tell({"code": self.code, "left": left})
        return 0

    def _start(self, command: list[str], libc: "ctypes.CDLL | None") -> int:
        reader, writer = os.pipe() if self.output >= 0 else (-1, -1)
        parent = os.getpid()
        self.child = os.fork()
        if self.child:
            if writer >= 0:
                os.close(writer)
            else:  # the command's output ends when the command's own copies are closed, not with this program
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, 1)
                os.dup2(null, 2)
            return reader
        try:
            os.setsid()
            if libc:
                libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
                if os.getppid() != parent:
                    os._exit(137)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
            signal.set_wakeup_fd(-1)
            if writer >= 0:
                os.dup2(writer, 1)
                os.dup2(writer, 2)
            os.execvpe(command[0], command, os.environ)  # noqa: S606 the command is the shell itself
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
            os._exit(127 if isinstance(error, FileNotFoundError) else 126)
        finally:
            os._exit(126)

    def _wait(self, wake: int, printed: int) -> None:
        """Until the command ends or the lifeline is cut."""
        while self.code is None:
            watched = [self.lifeline, wake] + ([printed] if printed >= 0 else [])
            ready = _ready(watched, None)
            if wake in ready:
                os.read(wake, 4096)
            if printed in ready and not self._pump(printed):
                printed = -1
            self._reap()
            if self.lifeline in ready:
                self._signal_all(signal.SIGTERM)
                self._until_gone(_GRACE, printed)
                return

    def _end_rest(self) -> int:
        """Ends what the command left behind; returns how many processes that were."""
        self._reap()
        left = len(self._descendants())
        if left and self.code is not None:
            self._signal_all(signal.SIGTERM)
            self._until_gone(0.3, -1)
        ends_at = time.monotonic() + _MOST_SECONDS_KILLING
        while self._descendants() and time.monotonic() < ends_at:
            # Stopped first, so that none forks while the others are being ended.
            self._signal_all(signal.SIGSTOP)
            self._signal_all(signal.SIGKILL)
            time.sleep(0.01)
            self._reap()
        return left

    def _until_gone(self, seconds: float, printed: int) -> None:
        ends_at = time.monotonic() + seconds
        while self._descendants() and time.monotonic() < ends_at:
            time.sleep(0.02)
            if printed >= 0 and _ready([printed], 0) and not self._pump(printed):
                printed = -1
            self._reap()

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                if pid == self.child:
                    code = os.waitstatus_to_exitcode(status)
                    self.code = 128 - code if code < 0 else code

    def _signal_all(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.child, number)
        for pid in self._descendants():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    def _descendants(self) -> list[int]:
        parents = _parents()
        if not parents:
            return [] if self.code is not None else [self.child]
        children: dict[int, list[int]] = {}
        for pid, parent in parents.items():
            children.setdefault(parent, []).append(pid)
        found: list[int] = []
        waiting = list(children.get(os.getpid(), ()))
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            waiting += children.get(pid, ())
        return found

    def _pump(self, printed: int) -> bool:
        """Passes on what the command printed; False at the end."""
        chunk = os.read(printed, 65_536)
        if not chunk:
            return False
        kept = chunk[: self.room]
        with contextlib.suppress(OSError):  # a full disk must not stop the command's own work
            os.write(self.output, kept)
        self.room -= len(kept)
        return True

    def _drain(self, printed: int) -> None:
        ends_at = time.monotonic() + 1.0
        while printed >= 0 and time.monotonic() < ends_at and _ready([printed], 0):
            if not self._pump(printed):
                return

    def _tell(self, message: dict[str, object]) -> None:
        with contextlib.suppress(OSError):
            os.write(self.status, json.dumps(message).encode() + b"\n")


def _ready(descriptors: list[int], seconds: "float | None") -> set[int]:
    """Those that can be read from, or have ended. poll(2), because select(2) knows no descriptors beyond 1023."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return {descriptor for descriptor, _ in poll.poll(None if seconds is None else seconds * 1000)}


def _wake_only(number: int, frame: object) -> None:
    """The wake-up descriptor tells of the signal; nothing else is to happen."""


def _parents() -> dict[int, int]:
    """Parent of every process that is not dead already, from /proc, or from ps where there is none."""
    if not _LINUX:
        return _parents_from_ps()
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 pathlib would double this program's start
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError):  # it may be gone already
            state, parent = _status_of(name).rpartition(b")")[2].split()[:2]
            if state not in (b"Z", b"X"):
                parents[int(name)] = int(parent)
    return parents


def _status_of(process: str) -> bytes:
    descriptor = os.open(f"/proc/{process}/stat", os.O_RDONLY)
    try:
        return os.read(descriptor, 4096)
    finally:
        os.close(descriptor)


def _parents_from_ps() -> dict[int, int]:
    import subprocess

    listing = subprocess.run(["/bin/ps", "-axo", "pid=,ppid=,state="], capture_output=True, text=True, check=False)
    rows = [line.split() for line in listing.stdout.splitlines()]
    return {int(row[0]): int(row[1]) for row in rows if len(row) == 3 and not row[2].startswith("Z")}


if __name__ == "__main__":
    lifeline, status, output, cap = (int(text) for text in sys.argv[1:5])
    for descriptor in (lifeline, status, output):
        if descriptor >= 0:
            os.set_inheritable(descriptor, False)
    sys.exit(Supervisor(lifeline, status, output, cap).run(sys.argv[6:]))
