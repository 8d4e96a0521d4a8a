"""The thread that writes: callers wait for the commit of their own record, and share it with whoever waits as well."""

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Protocol, TypeAlias

from mewcode.governance.audit.rows import Row

GROUP_LIMIT = 256
"""Records that share a commit at most."""
LINGER = 0.01
"""Seconds that records which nobody waits for wait for company: most often the begin of the same caller's next call."""
QUIET = 0.1
"""Seconds without a record after which there is time to tidy up."""

Build: TypeAlias = Callable[[], Row]


class Appender(Protocol):
    """Stores rows, all or none, and returns their sequence numbers."""

    def append(self, rows: list[Row]) -> list[int]: ...

    def tidy(self, quiet: bool) -> bool:
        """Called when the callers have their answers; `quiet` when nobody has come for a while. A short piece of work;
        True when another is waiting."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class _Request:
    """`build` makes the row in the writer's thread: redacting a large argument must not hold up the event loop.
    `patient` is a record that nobody waits for."""

    build: Build
    patient: bool = False
    done: "Future[int]" = field(default_factory=lambda: Future[int]())


class WriterThread:
    """Owns an appender, which it opens in its own thread at the first record, and again when that failed."""

    def __init__(self, open_appender: Callable[[], Appender]) -> None:
        self._open = open_appender
        self._appender: Appender | None = None
        self._requests: SimpleQueue[_Request | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def submit(self, build: Build, *, patient: bool = False) -> "Future[int]":
        """The future gives the record's sequence number once it is stored, or the error that it was not.

        Records are stored in the order of their submission. A `patient` one may wait LINGER seconds for others, so
        that they share a commit.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="mewcode-audit", daemon=True)
            self._thread.start()
        request = _Request(build, patient)
        self._requests.put(request)
        return request.done

    def stop(self, wait: float) -> None:
        """Writes what was submitted, closes the chain and ends the thread, within `wait` seconds."""
        if self._thread is None:
            return
        self._requests.put(None)
        self._thread.join(wait)

    def _run(self) -> None:
        going, untidy = True, False
        while going:
            try:
                going, group = self._next_group(QUIET if untidy else None)
            except Empty:
                untidy = self._tidy(quiet=True)
                continue
            if group:
                self._write(group)
                self._tidy(quiet=False)
                untidy = True
        if self._appender is not None:
            _quietly(self._appender.close)

    def _next_group(self, wait: float | None) -> tuple[bool, list[_Request]]:
        """Takes a request, and whatever else is there; False when told to stop. Raises Empty after `wait` seconds."""
        group: list[_Request] = []
        request = self._requests.get(timeout=wait)
        lingering_until = time.monotonic() + LINGER
        while request is not None:
            group.append(request)
            if len(group) == GROUP_LIMIT:
                return True, group
            left = lingering_until - time.monotonic() if all(one.patient for one in group) else 0.0
            try:
                request = self._requests.get(timeout=left) if left > 0 else self._requests.get_nowait()
            except Empty:
                return True, group
        return False, group

    def _tidy(self, *, quiet: bool) -> bool:
        return self._appender is not None and self._appender.tidy(quiet)

    def _write(self, group: list[_Request]) -> None:
        built = [(request, row) for request in group if (row := _built(request)) is not None]
        if not built:
            return
        try:
            if self._appender is None:
                self._appender = self._open()
            numbers = self._appender.append([row for _, row in built])
        except Exception as error:  # noqa: BLE001 - whatever it was, every waiting caller must hear of it
            for request, _ in built:
                request.done.set_exception(error)
            return
        for (request, _), number in zip(built, numbers, strict=True):
            request.done.set_result(number)


def _built(request: _Request) -> Row | None:
    try:
        return request.build()
    except Exception as error:  # noqa: BLE001 - a redactor that fails must fail its own call and no other
        request.done.set_exception(error)
        return None


def _quietly(close: Callable[[], None]) -> None:
    with contextlib.suppress(Exception):  # a chain without its close record only says that the process died
        close()
