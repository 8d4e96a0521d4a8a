"""Limits, deadlines and breakers of the settings; their counters in memory, or in Redis where replicas share them."""

from collections.abc import Mapping
from dataclasses import dataclass

from mewcode.config import LoadedSettings
from mewcode.config.schema.limits import RateLimits
from mewcode.governance.limits import (
    Breaker,
    BreakerRules,
    Deadlines,
    LimitRules,
    MemorySlots,
    MemoryWindow,
    RateWindow,
    RedisWindow,
    Slots,
    StoreSlots,
)
from mewcode.governance.roles import RoleLimits
from mewcode.state import Store, open_store


@dataclass(frozen=True)
class LimitParts:
    rules: LimitRules
    window: RateWindow
    slots: Slots
    breaker: Breaker
    deadlines: Deadlines
    store: Store


def build_limits(loaded: LoadedSettings) -> LimitParts:
    settings, state = loaded.settings.limits, loaded.settings.state
    store = open_store(state.url, prefix=state.prefix, timeout=state.timeout)
    breaker = settings.breaker
    return LimitParts(
        rules=LimitRules(
            general=RoleLimits(settings.per_minute, settings.concurrent),
            tools=_by_name(settings.tools),
            servers=_by_name(settings.servers),
            open_without_store=settings.without_store == "open",
        ),
        window=RedisWindow(state.url) if state.url else MemoryWindow(),
        slots=StoreSlots(store) if state.url else MemorySlots(),
        breaker=Breaker(store, BreakerRules(breaker.failures, breaker.window, breaker.open_for, breaker.slow_call)),
        deadlines=Deadlines(dict(settings.deadlines)),
        store=store,
    )


def _by_name(limits: Mapping[str, RateLimits]) -> dict[str, RoleLimits]:
    return {name: RoleLimits(limit.per_minute, limit.concurrent) for name, limit in limits.items()}
