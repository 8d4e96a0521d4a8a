"""What replicas know together of a session: what entered it from outside, and what was approved for its rest."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import anyio

from mewcode.calls import Effect, Origin, Source, Trust
from mewcode.governance.rules.parse import parse_rule
from mewcode.governance.rules.problem import RuleError
from mewcode.governance.rules.rule import Scope
from mewcode.governance.taint import Reading
from mewcode.state.store import Store, StoreUnavailableError

if TYPE_CHECKING:
    from mewcode.governance.sessions import SessionState

_ATTEMPTS = 64
"""Tries to write a session that other replicas change at the same moment; each round of them one gets through."""
_MOST_APPROVED = 500
_MOST_GRANTED = 200
"""Beyond these the oldest approvals are asked about again."""
_LONGEST_PLACE = 500


class SharedSessions:
    """One entry a session in a store. Nobody ends it: it is forgotten `kept_for` seconds after the session's last call
    through any replica.

    What this process knows and what the entry says are joined, whichever is read first: more was read, more was
    approved. Every operation raises StoreUnavailableError where the store is away, or holds what nobody can read.
    """

    def __init__(self, store: Store, kept_for: float) -> None:
        self._store = store
        self._kept_for = kept_for

    async def recall(self, session: str, state: "SessionState") -> None:
        """Brings `state` up to what other replicas know, and tells them what they did not hear while the store was
        away, or have lost with it."""
        own = state.sharing
        async with own.lock:
            await self._read(session, state)
            is_known = own.text is not None or _is_blank(state)
            if own.untold or not is_known or anyio.current_time() > own.told_at + self._kept_for / 4:
                await self._write(session, state)

    async def note(self, session: str, state: "SessionState", trust: Trust, origin: Origin) -> None:
        """A result entered the conversation. It is noted here at once; where the store is away, it is told later."""
        own = state.sharing
        async with own.lock:
            state.taint.note(trust, origin)
            if trust is not Trust.OWN:
                own.untold[trust, origin.server or ""] = origin
            await self._write(session, state)

    async def tell(self, session: str, state: "SessionState") -> None:
        """Something was approved."""
        async with state.sharing.lock:
            await self._write(session, state)

    async def _read(self, session: str, state: "SessionState") -> None:
        text = await self._store.get(_key(session))
        if text is not None and text != state.sharing.text:
            _join(state, text)
        state.sharing.text = text

    async def _write(self, session: str, state: "SessionState") -> None:
        own = state.sharing
        for _ in range(_ATTEMPTS):
            text = _written(state)
            if await self._store.replace(_key(session), own.text, text, ttl=self._kept_for):
                own.text, own.told_at = text, anyio.current_time()
                own.untold.clear()
                return
            await self._read(session, state)
            # Read anew after whatever others noted meanwhile: no approval of theirs knew of it.
            for (trust, _), origin in own.untold.items():
                state.taint.note(trust, origin)
        raise StoreUnavailableError("state.contended")


def _key(session: str) -> str:
    return f"session:{session}"


def _is_blank(state: "SessionState") -> bool:
    return not (state.taint.step or state.taint.readings or state.approved or state.granted)


def _written(state: "SessionState") -> str:
    readings = [
        [
            one.trust.value,
            one.origin.tool,
            one.origin.server,
            (one.origin.place or "")[:_LONGEST_PLACE],
            one.step,
            one.at,
        ]
        for one in state.taint.readings.values()
    ]
    approved = dict(list(state.approved.items())[-_MOST_APPROVED:])
    granted = [rule.text for rule in state.granted[-_MOST_GRANTED:]]
    parts = {"step": state.taint.step, "readings": readings, "approved": approved, "granted": granted}
    return json.dumps(parts, ensure_ascii=False)


def _join(state: "SessionState", text: str) -> None:
    """Of two readings of the same server the later one counts, of two approvals of the same call too."""
    try:
        entry = cast("Mapping[str, Any]", json.loads(text))
        readings = [_reading(*parts) for parts in entry["readings"]]
        granted = [parse_rule(rule, Effect.ALLOW, source=Source(Scope.SESSION.value)) for rule in entry["granted"]]
        approved = {str(mark): int(step) for mark, step in entry["approved"].items()}
        step = int(entry["step"])
    except (ValueError, KeyError, TypeError, AttributeError, RuleError):
        raise StoreUnavailableError("state.unreadable") from None
    taint = state.taint
    taint.step = max(taint.step, step)
    for reading in readings:
        mark = (reading.trust, reading.origin.server or "")
        if mark not in taint.readings or taint.readings[mark].step < reading.step:
            taint.readings[mark] = reading
    for mark, at in approved.items():
        state.approved[mark] = max(at, state.approved.get(mark, 0))
    known = {rule.text for rule in state.granted}
    state.granted.extend(rule for rule in granted if rule.text not in known)


def _reading(trust: str, tool: str, server: str | None, place: str, step: int, at: float) -> Reading:
    return Reading(Trust(trust), Origin(tool, server, place or None), int(step), float(at))
