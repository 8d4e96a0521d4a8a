"""Chooses the store that the settings name."""

from mewcode.state.memory_store import MemoryStore
from mewcode.state.store import Store


def open_store(url: str | None, *, prefix: str = "mewcode:", timeout: float = 2.0) -> Store:
    """Memory when `url` is None, else Redis. Nothing connects yet.

    Raises StoreUnavailableError when the URL makes no sense or the redis library is not installed.
    """
    if url is None:
        return MemoryStore()
    from mewcode.state.redis_store import RedisStore

    return RedisStore(url, prefix=prefix, timeout=timeout)
