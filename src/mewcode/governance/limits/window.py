"""Calls a minute, counted over a window that moves: exact, at any second."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from mewcode.state.store import StoreUnavailableError

if TYPE_CHECKING:
    from limits.aio.strategies import MovingWindowRateLimiter

WINDOW = 60.0
"""Seconds."""
SWEEP_EVERY = 1_000
"""Hits between two searches for counters that nobody uses any more."""


@dataclass(frozen=True)
class Hit:
    """One counter that a call adds to, and how far it may go in a minute."""

    key: str
    per_minute: int


class RateWindow(Protocol):
    async def hit(self, hits: Sequence[Hit]) -> float | None:
        """Counts the call in all of `hits`, or, where one is full, returns the seconds until it is not.

        Raises StoreUnavailableError when the shared counters are away.
        """
        ...


class MemoryWindow:
    """One process. Counts a call in all its counters or in none, since nothing waits in between.

    The library `limits` counts for Redis below. Its asynchronous memory storage starts a task with a hop to a thread
    on every call, and importing it costs 0.1 s; a list of times does the same.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: dict[str, deque[float]] = {}
        self._hits = 0

    async def hit(self, hits: Sequence[Hit]) -> float | None:
        now = self._clock()
        waits = [wait for hit in hits if (wait := self._wait(hit, now)) is not None]
        if waits:
            return max(waits)
        for hit in hits:
            self._times.setdefault(hit.key, deque()).append(now)
        self._sweep(now)
        return None

    def _wait(self, hit: Hit, now: float) -> float | None:
        """Seconds until the counter has room, None where it has."""
        times = self._times.get(hit.key, deque[float]())
        while times and times[0] <= now - WINDOW:
            times.popleft()
        if len(times) < hit.per_minute:
            return None
        return WINDOW if hit.per_minute == 0 else times[len(times) - hit.per_minute] + WINDOW - now

    def _sweep(self, now: float) -> None:
        self._hits += 1
        if self._hits % SWEEP_EVERY == 0:
            self._times = {key: times for key, times in self._times.items() if times[-1] > now - WINDOW}


class RedisWindow:
    """Counters that replicas share, in Redis."""

    def __init__(self, url: str, prefix: str = "mewcode:") -> None:
        self._url = url
        self._prefix = prefix

    async def hit(self, hits: Sequence[Hit]) -> float | None:
        from limits import RateLimitItemPerMinute
        from limits.errors import StorageError

        try:
            for hit in hits:
                item = RateLimitItemPerMinute(hit.per_minute)
                if hit.per_minute == 0 or not await self._limiter.hit(item, hit.key):
                    stats = await self._limiter.get_window_stats(item, hit.key)
                    return max(0.1, stats.reset_time - time.time())
        except StorageError as error:
            raise StoreUnavailableError("governance.counters_away", why=str(error.storage_error)) from error
        return None

    @cached_property
    def _limiter(self) -> "MovingWindowRateLimiter":
        from limits.aio.storage import RedisStorage
        from limits.aio.strategies import MovingWindowRateLimiter

        storage = RedisStorage(
            f"async+{self._url}", implementation="redispy", key_prefix=f"{self._prefix}limits", wrap_exceptions=True
        )
        return MovingWindowRateLimiter(storage)
