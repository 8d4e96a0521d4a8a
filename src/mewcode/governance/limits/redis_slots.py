"""Calls at once, counted in Redis for all replicas together."""

from collections.abc import Sequence

from mewcode.governance.limits.slots import Slot
from mewcode.state.redis_store import RedisStore

LEASE = 3600.0
"""Seconds for which a call keeps its place without giving it back: longer than a call may take, so that only the places
of a process that died are lost meanwhile."""

_TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends = string.format('%.0f', now + ARGV[1])
for index, key in ipairs(KEYS) do
    redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now))
    if redis.call('ZCARD', key) >= tonumber(ARGV[index + 2]) then return 0 end
end
for _, key in ipairs(KEYS) do
    redis.call('ZADD', key, ends, ARGV[2])
    redis.call('PEXPIRE', key, ARGV[1])
end
return 1
"""
_GIVE_BACK = """
for _, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[1]) end
return 1
"""


class RedisSlots:
    """Each place has a holder and an end of its own: nothing is ever given back twice, or for somebody else."""

    def __init__(self, store: RedisStore, lease: float = LEASE) -> None:
        self._store = store
        self._lease = round(lease * 1000)

    async def take(self, slots: Sequence[Slot], holder: str) -> bool:
        if not slots:
            return True
        limits = (slot.concurrent for slot in slots)
        return await self._store.evaluate(_TAKE, _keys(slots), self._lease, holder, *limits) == 1

    async def give_back(self, slots: Sequence[Slot], holder: str) -> None:
        if slots:
            await self._store.evaluate(_GIVE_BACK, _keys(slots), holder)


def _keys(slots: Sequence[Slot]) -> list[str]:
    return [f"slots:{slot.key}" for slot in slots]
