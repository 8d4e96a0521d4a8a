"""The audit log as the gate uses it: begin before the act, end after it, never blocking the event loop."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from concurrent.futures import Future
from functools import partial

import anyio.to_thread

from mewcode.calls import Json
from mewcode.errors import AuditError
from mewcode.governance.audit.bounded import TOTAL_LIMIT, Redact
from mewcode.governance.audit.counted import MOST_A_MINUTE, Counted, Tally
from mewcode.governance.audit.port import AuditEnd, AuditEntry, AuditHandle, Outcome
from mewcode.governance.audit.rows import begin_row, end_row, event_row, refused_row
from mewcode.governance.audit.writer import Appender, Build, WriterThread

_log = logging.getLogger(__name__)

LOCK_WAIT = 5.0
"""Seconds that a commit waits for another process's lock."""
PATIENCE = 15.0
"""Seconds after which a caller gives up on the writer altogether."""


class AuditLog:
    """Implements AuditPort over a database URL. Opens nothing and imports no SQLAlchemy before the first record.

    `redact` takes secrets out of a text; it runs in the writer's thread. `retention` is in seconds, `rotate_at` in
    bytes of an SQLite file; None keeps everything. `argument_characters` of a call's arguments are kept.
    """

    def __init__(
        self,
        url: str,
        *,
        redact: Redact = str,
        fsync: bool = False,
        retention: float | None = None,
        rotate_at: int | None = None,
        argument_characters: int = TOTAL_LIMIT,
        lock_wait: float = LOCK_WAIT,
    ) -> None:
        self._url = url
        self._redact = redact
        self._fsync = fsync
        self._retention = retention
        self._rotate_at = rotate_at
        self._most = argument_characters
        self._lock_wait = lock_wait
        self._writer = WriterThread(self._open)
        self._counted = Counted(self._tally)
        self._closed = False
        self._last: Future[int] | None = None

    async def begin(self, entry: AuditEntry) -> AuditHandle:
        """Returns when the record is stored. Raises AuditError when it is not: then the call must not run."""
        stored = self._submit(partial(begin_row, entry, self._redact, self._most))
        try:
            return AuditHandle(await self._stored(stored))
        except (asyncio.CancelledError, AuditError):
            # The record may be stored all the same, now or later; the call will not run, and the log should say so.
            stored.add_done_callback(self._end_cancelled)
            raise

    async def end(self, handle: AuditHandle, end: AuditEnd) -> None:
        """Hands the record over: it is stored within moments, and no later than any record that is submitted after it.

        The caller does not wait for it, since its own act is over; that it could not be stored is logged, and fails the
        next call. Raises AuditError when the log is closed.
        """
        stored = self._submit(partial(end_row, handle, end, self._redact), patient=True)
        stored.add_done_callback(self._note_failure)

    async def settled(self) -> None:
        """Returns when everything that was handed over is stored, or was given up."""
        if self._last is not None:
            with contextlib.suppress(Exception):  # whoever waits for that record hears of it
                await self._stored(self._last)

    async def refuse(self, entry: AuditEntry, end: AuditEnd | None = None) -> None:
        """One record for a call that did not run, or one more in the count of its principal's. Raises AuditError."""
        if self._counts("refused", entry.principal, entry.name, entry.principal):
            return
        await self._stored(self._submit(partial(refused_row, entry, end, self._redact, self._most)))

    async def event(
        self,
        kind: str,
        *,
        principal: str | None = None,
        door: str | None = None,
        session: str | None = None,
        details: Mapping[str, Json] | None = None,
        counted_for: str | None = None,
    ) -> None:
        """Log-ins, refused tokens, trust grants, approvals, reloads. Raises AuditError."""
        if counted_for is not None and self._counts(kind, counted_for, kind, principal):
            return
        build = partial(event_row, kind, principal, door, session, details or {}, self._redact)
        await self._stored(self._submit(build))

    async def ping(self, within: float) -> None:
        """Raises AuditError when the database cannot be reached `within` so many seconds. One that is not there yet
        is no failure: the first record makes it."""
        from mewcode.governance.audit.database import reach

        await anyio.to_thread.run_sync(reach, self._url, within, abandon_on_cancel=True)

    async def close(self) -> None:
        """Stores what is waiting, seals the chain and ends the thread."""
        if self._closed:
            return
        self._counted.close()
        self._closed = True
        await anyio.to_thread.run_sync(self._writer.stop, PATIENCE)

    @property
    def place(self) -> str:
        """The log's address without its password."""
        from mewcode.governance.audit.database import place_of

        return place_of(self._url)

    def _submit(self, build: Build, *, patient: bool = False) -> "Future[int]":
        if self._closed:
            raise AuditError("audit.closed", place=self.place)
        self._last = self._writer.submit(build, patient=patient)
        return self._last

    def _counts(self, kind: str, source: str, about: str, principal: str | None) -> bool:
        return not self._closed and not self._counted.keeps(kind, source, about, principal)

    def _tally(self, tally: Tally) -> None:
        """What is counted instead of kept: that it begins, and how many it were."""
        details = {
            "what": tally.kind,
            "of": tally.source,
            "counted": tally.count,
            "by_name": dict(tally.counts),
            "seconds": round(tally.seconds, 1),
            "kept_a_minute": MOST_A_MINUTE,
        }
        build = partial(event_row, "refusals_counted", tally.principal, None, None, details, self._redact)
        self._submit(build, patient=True).add_done_callback(self._note_failure)

    def _note_failure(self, stored: "Future[int]") -> None:
        """Called by the writer's thread for a record that nobody waits for."""
        error = stored.exception()
        if error is not None:
            _log.error("%s", AuditError("audit.end_not_written", place=self.place, why=error))

    async def _stored(self, stored: "Future[int]") -> int:
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[int] = loop.create_future()
        # Cancelling the caller cancels its waiting, never the record.
        stored.add_done_callback(partial(_tell, loop, waiting))
        timer = loop.call_later(PATIENCE, self._give_up, waiting)
        try:
            return await waiting
        finally:
            timer.cancel()

    def _give_up(self, waiting: "asyncio.Future[int]") -> None:
        if not waiting.done():
            waiting.set_exception(AuditError("audit.too_slow", place=self.place, seconds=PATIENCE))

    def _end_cancelled(self, stored: "Future[int]") -> None:
        """Called by the writer's thread for a begin record that nobody waits for any more."""
        if stored.cancelled() or stored.exception() is not None or self._closed:
            return
        handle = AuditHandle(stored.result())
        self._writer.submit(partial(end_row, handle, AuditEnd(Outcome.CANCELLED), self._redact))

    def _open(self) -> Appender:
        from mewcode.governance.audit.appender import ChainAppender
        from mewcode.governance.audit.housekeeping import Keeping

        keeping = Keeping(self._retention, self._rotate_at)
        return ChainAppender(self._url, fsync=self._fsync, wait=self._lock_wait, keeping=keeping)


def _tell(loop: asyncio.AbstractEventLoop, waiting: "asyncio.Future[int]", stored: "Future[int]") -> None:
    """Called by the writer's thread. A loop that has ended has nobody who waits."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(_hand_over, waiting, stored)


def _hand_over(waiting: "asyncio.Future[int]", stored: "Future[int]") -> None:
    if waiting.done():
        return
    error = stored.exception()
    if error is None:
        waiting.set_result(stored.result())
    else:
        waiting.set_exception(error)
