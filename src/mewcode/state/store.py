"""Small values that live for a while and may be shared: counters, approvals, breaker states."""

from typing import Protocol

from mewcode.errors import MewCodeError


class StoreUnavailableError(MewCodeError):
    """The shared state is away. Whoever asks decides what then: permission and audit refuse."""


class Store(Protocol):
    """Text by key. `ttl` is in seconds; None keeps the value until it is deleted.

    Every operation is atomic, also across processes. Raises StoreUnavailableError when the store is away.
    """

    async def get(self, key: str) -> str | None: ...

    async def set(self, key: str, value: str, *, ttl: float | None = None) -> None: ...

    async def add(self, key: str, value: str, *, ttl: float | None = None) -> bool:
        """Sets the value only when the key is not there yet; whether it did."""
        ...

    async def replace(self, key: str, expected: str | None, value: str, *, ttl: float | None = None) -> bool:
        """Sets the value only when the present one is `expected` (None: absent); whether it did."""
        ...

    async def take(self, key: str) -> str | None:
        """Reads and deletes in one step: what is taken is taken once."""
        ...

    async def delete(self, key: str) -> bool:
        """Whether it was there."""
        ...

    async def incr(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        """Adds to a counter and returns it. `ttl` counts from the counter's first increment."""
        ...

    async def keys(self, prefix: str) -> tuple[str, ...]:
        """The keys that begin with `prefix`, sorted."""
        ...

    async def ping(self) -> None:
        """Raises StoreUnavailableError when the store cannot be reached."""
        ...

    async def close(self) -> None: ...
