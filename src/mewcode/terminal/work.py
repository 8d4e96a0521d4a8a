"""What the session has to do: one thing after the other, and small things beside it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

Job: TypeAlias = Callable[[], Awaitable[None]]


class Work:
    """`run` works until it is cancelled, and ends everything that was begun. `failed` is told what went wrong."""

    def __init__(self, failed: Callable[[BaseException], None]) -> None:
        self._failed = failed
        self._waiting: asyncio.Queue[Job] = asyncio.Queue()
        self._current: asyncio.Task[None] | None = None
        self._beside: set[asyncio.Task[None]] = set()

    @property
    def busy(self) -> bool:
        return self._current is not None

    @property
    def settled(self) -> bool:
        """Whether nothing goes on and nothing waits."""
        return self._current is None and self._waiting.empty() and not self._beside

    def do(self, job: Job) -> None:
        """Runs `job` when everything that was asked for before it is over."""
        self._waiting.put_nowait(job)

    def now(self, job: Job) -> "asyncio.Task[None]":
        """Runs `job` at once, beside whatever goes on."""
        task = asyncio.create_task(_awaited(job))
        self._beside.add(task)
        task.add_done_callback(self._over)
        return task

    def cancel(self) -> None:
        """Stops what goes on now; what waits behind it is still done."""
        if self._current is not None:
            self._current.cancel()

    async def run(self) -> None:
        try:
            while True:
                job = await self._waiting.get()
                self._current = asyncio.create_task(_awaited(job))
                await asyncio.wait([self._current])
                self._tell(self._current)
                self._current = None
        finally:
            tasks = [*self._beside, *([self._current] if self._current else [])]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _over(self, task: "asyncio.Task[None]") -> None:
        self._beside.discard(task)
        self._tell(task)

    def _tell(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed(error)


async def _awaited(job: Job) -> None:
    await job()
