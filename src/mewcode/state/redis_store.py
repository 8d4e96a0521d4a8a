"""A store in Redis, shared by replicas. Steps that belong together are Lua scripts, so that they are one step."""

from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar, cast

from mewcode.state.store import StoreUnavailableError

Result = TypeVar("Result")

_REPLACE = """
local present = redis.call('GET', KEYS[1])
if (present or false) ~= (ARGV[1] == '1' and ARGV[2] or false) then return 0 end
if ARGV[4] == '' then redis.call('SET', KEYS[1], ARGV[3]) else redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4]) end
return 1
"""
_INCR = """
local total = redis.call('INCRBY', KEYS[1], ARGV[1])
if ARGV[2] ~= '' and redis.call('PTTL', KEYS[1]) == -1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return total
"""


class RedisStore:
    """`prefix` goes before every key; `timeout` bounds each operation (seconds). Connects on first use."""

    def __init__(self, url: str, *, prefix: str = "mewcode:", timeout: float = 2.0) -> None:
        try:
            from redis.asyncio import Redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
        except ImportError:
            raise StoreUnavailableError("state.redis_missing") from None
        self._prefix = prefix
        try:
            self._redis: Any = Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
                url,
                decode_responses=True,
                socket_timeout=timeout,
                socket_connect_timeout=timeout,
                retry=Retry(NoBackoff(), 0),  # a counter that was sent twice counts twice
            )
        except ValueError:
            raise StoreUnavailableError("state.redis_url") from None

    async def get(self, key: str) -> str | None:
        return cast("str | None", await self._ask(self._redis.get(self._name(key))))

    async def set(self, key: str, value: str, *, ttl: float | None = None) -> None:
        await self._ask(self._redis.set(self._name(key), value, px=_milliseconds(ttl) or None))

    async def add(self, key: str, value: str, *, ttl: float | None = None) -> bool:
        return bool(await self._ask(self._redis.set(self._name(key), value, nx=True, px=_milliseconds(ttl) or None)))

    async def replace(self, key: str, expected: str | None, value: str, *, ttl: float | None = None) -> bool:
        known = "0" if expected is None else "1"
        arguments = (known, expected or "", value, _milliseconds(ttl))
        return bool(await self._ask(self._redis.eval(_REPLACE, 1, self._name(key), *arguments)))

    async def take(self, key: str) -> str | None:
        return cast("str | None", await self._ask(self._redis.getdel(self._name(key))))

    async def delete(self, key: str) -> bool:
        return bool(await self._ask(self._redis.delete(self._name(key))))

    async def incr(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        return int(await self._ask(self._redis.eval(_INCR, 1, self._name(key), by, _milliseconds(ttl))))

    async def evaluate(self, script: str, keys: Sequence[str], *arguments: str | int) -> int:
        """Runs a Lua script that answers with a number; its `keys` are ours, like those of every other operation."""
        names = [self._name(key) for key in keys]
        return int(await self._ask(self._redis.eval(script, len(names), *names, *arguments)))

    async def keys(self, prefix: str) -> tuple[str, ...]:
        pattern = _literal(self._name(prefix)) + "*"
        return tuple(sorted(key.removeprefix(self._prefix) for key in await self._ask(self._scan(pattern))))

    async def ping(self) -> None:
        await self._ask(self._redis.ping())

    async def close(self) -> None:
        await self._redis.aclose()

    async def _scan(self, pattern: str) -> list[str]:
        return [key async for key in self._redis.scan_iter(match=pattern, count=500)]

    def _name(self, key: str) -> str:
        return self._prefix + key

    async def _ask(self, operation: Awaitable[Result]) -> Result:
        """Errors carry no URL: it may hold a password."""
        from redis.exceptions import RedisError

        try:
            return await operation
        except (RedisError, OSError, TimeoutError) as error:
            raise StoreUnavailableError("state.redis_away", reason=type(error).__name__) from None


def _milliseconds(ttl: float | None) -> int | str:
    """At least one: Redis refuses to keep something for no time. Empty for ever."""
    return "" if ttl is None else max(1, round(ttl * 1000))


def _literal(text: str) -> str:
    return "".join(f"\\{character}" if character in "*?[]\\^" else character for character in text)
