"""A server that keeps failing is left alone for a while, then tried with one call."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from mewcode.state.store import Store

_ATTEMPTS = 8
"""Tries to write a state that other replicas change at the same moment."""
_SHORTEST_TRIAL = 60.0
"""Seconds that one trial call may take before another one is let through."""


@dataclass(frozen=True)
class BreakerRules:
    """`failures` within `window` seconds open it for `open_for` seconds. A call that took longer than `slow_call`
    seconds counts as a failure, too; None: slowness never does."""

    failures: int = 5
    window: float = 60.0
    open_for: float = 30.0
    slow_call: float | None = None


class BreakerState(str, Enum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"


@dataclass(frozen=True)
class _Record:
    """`failures` are times of failures while closed; `opened` is when it opened, None while closed."""

    failures: tuple[float, ...] = ()
    opened: float | None = None

    @classmethod
    def read(cls, text: str | None) -> "_Record":
        if text is None:
            return cls()
        value = json.loads(text)
        return cls(tuple(value["failures"]), value["opened"])

    def write(self) -> str:
        return json.dumps({"failures": self.failures, "opened": self.opened})


class Breaker:
    """The breakers of all servers, kept in a store so that replicas share them. `clock` is seconds since the epoch."""

    def __init__(self, store: Store, rules: BreakerRules = BreakerRules(), clock: Callable[[], float] = time.time):
        self._store = store
        self._rules = rules
        self._clock = clock

    async def admit(self, server: str) -> float | None:
        """None where a call may go to the server, else the seconds after which it is worth trying again.

        Once the time is over, one call is let through; the others wait for what it finds.
        """
        record = _Record.read(await self._store.get(_key(server)))
        if record.opened is None:
            return None
        remaining = record.opened + self._rules.open_for - self._clock()
        if remaining > 0:
            return remaining
        trial = max(_SHORTEST_TRIAL, self._rules.open_for)
        return None if await self._store.add(_trial(server), "1", ttl=trial) else min(1.0, self._rules.open_for)

    async def note(self, server: str, *, failed: bool, seconds: float) -> None:
        """How a call that was admitted went."""
        slow = self._rules.slow_call is not None and seconds > self._rules.slow_call
        if failed or slow:
            await self._note_failure(server)
        elif await self._store.delete(_trial(server)):
            await self._store.delete(_key(server))

    async def forget_trial(self, server: str) -> None:
        """The trial call was cancelled and found out nothing: the next one may try."""
        await self._store.delete(_trial(server))

    async def state(self, server: str) -> BreakerState:
        record = _Record.read(await self._store.get(_key(server)))
        if record.opened is None:
            return BreakerState.CLOSED
        waits = record.opened + self._rules.open_for > self._clock()
        return BreakerState.OPEN if waits else BreakerState.HALF_OPEN

    async def _note_failure(self, server: str) -> None:
        was_trial = await self._store.delete(_trial(server))
        for _ in range(_ATTEMPTS):
            text = await self._store.get(_key(server))
            changed = self._after_failure(_Record.read(text), was_trial)
            if await self._store.replace(_key(server), text, changed.write(), ttl=self._kept_for):
                return

    def _after_failure(self, record: _Record, was_trial: bool) -> _Record:
        now = self._clock()
        if record.opened is not None:
            return _Record((), now) if was_trial else record
        recent = (*(at for at in record.failures if at > now - self._rules.window), now)
        return _Record((), now) if len(recent) >= self._rules.failures else _Record(recent)

    @property
    def _kept_for(self) -> float:
        return 10 * (self._rules.window + self._rules.open_for)


def _key(server: str) -> str:
    return f"breaker:{server}"


def _trial(server: str) -> str:
    return f"breaker-trial:{server}"
