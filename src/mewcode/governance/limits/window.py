"""Calls a minute, counted over a window that moves: exact, at any second."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

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
    """One process. Counts a call in all its counters or in none, since nothing waits in between."""

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
