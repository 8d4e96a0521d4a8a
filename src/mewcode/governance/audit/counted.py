"""Refusals beyond so many a minute are counted instead of kept one by one: nobody fills the log by being refused."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

MOST_A_MINUTE = 60
"""Records of one kind, for one principal or address, that are kept one by one."""
MINUTE = 60.0
MOST_SOURCES = 1_000
"""Principals and addresses that are told apart; those beyond share one count."""
MOST_NAMES = 20
"""Tools whose refusals a count tells apart."""
OTHERS = "(others)"


@dataclass(frozen=True)
class Tally:
    """What was counted: records of a `kind` for a `source` (a principal or an address), by what they were about. None
    counted yet where the count has just begun."""

    kind: str
    source: str
    principal: str | None
    seconds: float
    counts: Mapping[str, int]

    @property
    def count(self) -> int:
        return sum(self.counts.values())


@dataclass
class _Minute:
    began: float
    ends: asyncio.TimerHandle
    principal: str | None
    seen: int = 0
    counts: Counter[str] = field(default_factory=Counter[str])


class Counted:
    """`tell` records a tally: when counting begins, so that it is known even if this process dies, and a minute after
    the first record. For one event loop."""

    def __init__(self, tell: Callable[[Tally], None]) -> None:
        self._tell = tell
        self._minutes: dict[tuple[str, str], _Minute] = {}

    def keeps(self, kind: str, source: str, about: str, principal: str | None) -> bool:
        """Whether this one is to be recorded itself; else it is counted."""
        if (kind, source) not in self._minutes and len(self._minutes) >= MOST_SOURCES:
            source, principal = OTHERS, None
        minute = self._minutes.get((kind, source)) or self._begin(kind, source, principal)
        minute.seen += 1
        if minute.seen <= MOST_A_MINUTE:
            return True
        if minute.seen == MOST_A_MINUTE + 1:
            self._tell(Tally(kind, source, principal, time.monotonic() - minute.began, {}))
        known = about in minute.counts or len(minute.counts) < MOST_NAMES
        minute.counts[about[:200] if known else OTHERS] += 1
        return False

    def close(self) -> None:
        """Tells what was counted so far."""
        for kind, source in tuple(self._minutes):
            self._end(kind, source)

    def _begin(self, kind: str, source: str, principal: str | None) -> _Minute:
        ends = asyncio.get_running_loop().call_later(MINUTE, self._end, kind, source)
        minute = self._minutes[kind, source] = _Minute(time.monotonic(), ends, principal)
        return minute

    def _end(self, kind: str, source: str) -> None:
        minute = self._minutes.pop((kind, source))
        minute.ends.cancel()
        if minute.counts:
            seconds = time.monotonic() - minute.began
            self._tell(Tally(kind, source, minute.principal, seconds, dict(minute.counts)))
