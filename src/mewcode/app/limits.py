"""Limits, deadlines, breakers, pending questions and what sessions know: in memory, or in Redis for all replicas."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    Slots,
)
from mewcode.governance.questions import MemoryQuestions, QuestionStore
from mewcode.governance.roles import RoleLimits
from mewcode.state import MemoryStore, Store, open_store
from mewcode.tools.search import DiscoveredTools

if TYPE_CHECKING:
    from mewcode.governance.shared_sessions import SharedSessions


@dataclass(frozen=True)
class LimitParts:
    rules: LimitRules
    window: RateWindow
    slots: Slots
    breaker: Breaker
    deadlines: Deadlines
    questions: QuestionStore
    store: Store
    sessions: "SharedSessions | None"
    discovered: DiscoveredTools


def build_limits(loaded: LoadedSettings) -> LimitParts:
    settings, state = loaded.settings.limits, loaded.settings.state
    store = open_store(state.url, prefix=state.prefix, timeout=state.timeout)
    window, slots, questions = _counters(store)
    sessions, discovered = _sessions(store, loaded.settings.server.session_idle)
    breaker = settings.breaker
    return LimitParts(
        rules=LimitRules(
            general=RoleLimits(settings.per_minute, settings.concurrent),
            tools=_by_name(settings.tools),
            servers=_by_name(settings.servers),
            open_without_store=settings.without_store == "open",
        ),
        window=window,
        slots=slots,
        breaker=Breaker(store, BreakerRules(breaker.failures, breaker.window, breaker.open_for, breaker.slow_call)),
        deadlines=Deadlines(dict(settings.deadlines)),
        questions=questions,
        store=store,
        sessions=sessions,
        discovered=discovered,
    )


def _counters(store: Store) -> tuple[RateWindow, Slots, QuestionStore]:
    """In Redis where replicas share it, else in memory, which needs nothing of it."""
    from mewcode.state.redis_store import RedisStore

    if not isinstance(store, RedisStore):
        return MemoryWindow(), MemorySlots(), MemoryQuestions()
    from mewcode.governance.limits.redis_slots import RedisSlots
    from mewcode.governance.limits.redis_window import RedisWindow
    from mewcode.governance.shared_questions import StoreQuestions

    return RedisWindow(store), RedisSlots(store), StoreQuestions(store)


def _sessions(store: Store, kept_for: float) -> "tuple[SharedSessions | None, DiscoveredTools]":
    """Alone, a process keeps what its sessions know to itself."""
    if isinstance(store, MemoryStore):
        return None, DiscoveredTools()
    from mewcode.governance.shared_sessions import SharedSessions
    from mewcode.tools.search.shared_discovered import SharedDiscoveredTools

    return SharedSessions(store, kept_for), SharedDiscoveredTools(store, kept_for)


def _by_name(limits: Mapping[str, RateLimits]) -> dict[str, RoleLimits]:
    return {name: RoleLimits(limit.per_minute, limit.concurrent) for name, limit in limits.items()}
