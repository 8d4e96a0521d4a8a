"""SIGINT and SIGTERM: the run is stopped in order, its session saved and its processes ended."""

import signal
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio

from mewcode.headless.result import RunStatus

GRACE_SECONDS = 5.0
"""After this the run is cancelled from the outside; a second signal does so at once."""


class Signals:
    """`stop` is called at the first signal; without it, or when it does not help in time, the scope is cancelled."""

    def __init__(self) -> None:
        self.scope = anyio.CancelScope()
        self.caught: signal.Signals | None = None
        self.stop: Callable[[], None] | None = None

    @property
    def status(self) -> RunStatus | None:
        if self.caught is None:
            return None
        return RunStatus.INTERRUPTED if self.caught is signal.SIGINT else RunStatus.TERMINATED

    def arrive(self, number: signal.Signals) -> None:
        first = self.caught is None
        self.caught = self.caught or number
        if first and self.stop is not None:
            self.stop()
            self.scope.deadline = anyio.current_time() + GRACE_SECONDS
        else:
            self.scope.cancel()


@asynccontextmanager
async def watched_signals() -> AsyncGenerator[Signals, None]:
    """The body runs until it ends or `Signals.scope` is cancelled; either way the block is left without an error."""
    signals = Signals()
    async with anyio.create_task_group() as tasks:
        if sys.platform != "win32":
            tasks.start_soon(_watch, signals)
        try:
            with signals.scope:
                yield signals
        finally:
            tasks.cancel_scope.cancel()


async def _watch(signals: Signals) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as received:
        async for number in received:
            signals.arrive(number)
