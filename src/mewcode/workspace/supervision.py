"""MewCode's end of a command's supervisor: the lifeline, and what the supervisor reports (supervisor.py)."""

import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

_PROGRAM = str(Path(__file__).with_name("supervisor.py"))
_SUPERVISED = os.name != "nt"


@dataclass(frozen=True)
class Report:
    """`pid` leads the command's process group; `code` is None as long as it runs."""

    pid: int | None = None
    code: int | None = None
    left: int = 0
    whole: bool = False


class Supervision:
    """Opens the two pipes; hold it for as long as the command may live. On Windows it does nothing."""

    def __init__(self, output: int = -1, cap: int = 0) -> None:
        self._output = output
        self._cap = cap
        self._lifeline: int | None = None
        self._child_ends: list[int] = []
        self._status: int | None = None
        self._told = b""
        if _SUPERVISED:
            read_lifeline, self._lifeline = os.pipe()
            self._status, write_status = os.pipe()
            os.set_blocking(self._status, False)
            self._child_ends = [read_lifeline, write_status]

    def __enter__(self) -> "Supervision":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What the supervisor must inherit."""
        return (*self._child_ends, *((self._output,) if self._output >= 0 else ())) if _SUPERVISED else ()

    def around(self, argv: Sequence[str]) -> list[str]:
        """The command line that runs `argv` supervised. `-I -S`: a quick start, and nothing of the workspace."""
        if not _SUPERVISED:
            return list(argv)
        lifeline, status = self._child_ends
        numbers = [str(number) for number in (lifeline, status, self._output, self._cap)]
        return [sys.executable, "-I", "-S", _PROGRAM, *numbers, "--", *argv]

    def started(self) -> None:
        """Gives up this process's copies of what the supervisor has now."""
        for descriptor in self._child_ends:
            os.close(descriptor)
        self._child_ends = []

    def cut(self) -> None:
        """Tells the supervisor to end everything."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None

    def report(self) -> Report:
        """What the supervisor said so far."""
        if self._status is not None:
            with suppress(BlockingIOError):
                while chunk := os.read(self._status, 4096):
                    self._told += chunk
        whole = self._told[: self._told.rfind(b"\n") + 1]
        told = {key: value for line in whole.splitlines() for key, value in json.loads(line).items()}
        return Report(told.get("pid"), told.get("code"), told.get("left", 0), "left" in told)

    def kill_if_orphaned(self) -> None:
        """A supervisor that was killed itself says nothing at the end: then its command's group is killed here."""
        report = self.report()
        if _SUPERVISED and not report.whole and report.pid:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(report.pid, signal.SIGKILL)

    def close(self) -> None:
        self.started()
        self.cut()
        if self._status is not None:
            os.close(self._status)
            self._status = None
