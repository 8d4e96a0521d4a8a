"""A store in this process: what one person needs, and nothing to install."""

import time
from collections.abc import Callable
from dataclasses import dataclass

SWEEP_EVERY = 1_000
"""Writes between two searches for values whose time is over."""


@dataclass
class _Value:
    text: str
    ends: float | None


class MemoryStore:
    """Atomic because no operation waits. `clock` gives seconds that never go backwards."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._values: dict[str, _Value] = {}
        self._writes = 0

    async def get(self, key: str) -> str | None:
        value = self._live(key)
        return value.text if value else None

    async def set(self, key: str, value: str, *, ttl: float | None = None) -> None:
        self._put(key, value, ttl)

    async def add(self, key: str, value: str, *, ttl: float | None = None) -> bool:
        return await self.replace(key, None, value, ttl=ttl)

    async def replace(self, key: str, expected: str | None, value: str, *, ttl: float | None = None) -> bool:
        present = self._live(key)
        if (present.text if present else None) != expected:
            return False
        self._put(key, value, ttl)
        return True

    async def take(self, key: str) -> str | None:
        value = self._live(key)
        self._values.pop(key, None)
        return value.text if value else None

    async def delete(self, key: str) -> bool:
        return await self.take(key) is not None

    async def incr(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        present = self._live(key)
        if present is None:
            self._put(key, str(by), ttl)
            return by
        total = int(present.text) + by
        present.text = str(total)
        return total

    async def keys(self, prefix: str) -> tuple[str, ...]:
        return tuple(sorted(key for key in list(self._values) if key.startswith(prefix) and self._live(key)))

    async def ping(self) -> None:
        return

    async def close(self) -> None:
        self._values.clear()

    def _live(self, key: str) -> _Value | None:
        value = self._values.get(key)
        if value and value.ends is not None and value.ends <= self._clock():
            del self._values[key]
            return None
        return value

    def _put(self, key: str, text: str, ttl: float | None) -> None:
        self._values[key] = _Value(text, None if ttl is None else self._clock() + ttl)
        self._writes += 1
        if self._writes % SWEEP_EVERY == 0:
            for other in list(self._values):
                self._live(other)
