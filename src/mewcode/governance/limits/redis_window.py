"""Calls a minute, counted in Redis for all replicas together."""

import uuid
from collections.abc import Sequence

from mewcode.governance.limits.window import WINDOW, Hit
from mewcode.state.redis_store import RedisStore

_HIT = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = tonumber(ARGV[1])
local longest = -1
for index, key in ipairs(KEYS) do
    local most = tonumber(ARGV[index + 2])
    redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now - window))
    local count = redis.call('ZCARD', key)
    if most == 0 then
        longest = window
    elseif count >= most then
        local leaves = redis.call('ZRANGE', key, count - most, count - most, 'WITHSCORES')
        longest = math.max(longest, tonumber(leaves[2]) + window - now)
    end
end
if longest >= 0 then return longest end
for _, key in ipairs(KEYS) do
    redis.call('ZADD', key, string.format('%.0f', now), ARGV[2])
    redis.call('PEXPIRE', key, math.ceil(window / 1000))
end
return -1
"""
"""Microseconds to wait, or -1. The time is Redis' own, so that the clocks of replicas need not agree."""


class RedisWindow:
    """All counters of a call in one step: it counts in each of them or in none.

    The library `limits` counts one counter at a time, by the replica's clock, and cannot take a count back: a call that
    its second limit refused would have used up the first.
    """

    def __init__(self, store: RedisStore, window: float = WINDOW) -> None:
        self._store = store
        self._window = round(window * 1_000_000)

    async def hit(self, hits: Sequence[Hit]) -> float | None:
        keys = [f"rate:{hit.key}" for hit in hits]
        wait = await self._store.evaluate(_HIT, keys, self._window, uuid.uuid4().hex, *(hit.per_minute for hit in hits))
        return None if wait < 0 else max(wait, 1) / 1_000_000
