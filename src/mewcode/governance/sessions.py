"""What the gate keeps for each session, and lets go of when it ends."""

import logging
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from mewcode.calls import Origin, Trust
from mewcode.governance.loop_guard import TIMES, LoopGuard
from mewcode.governance.modes import Mode
from mewcode.governance.rules.rule import Rule
from mewcode.governance.taint import Taint
from mewcode.state.store import StoreUnavailableError

if TYPE_CHECKING:
    from mewcode.governance.shared_sessions import SharedSessions

_log = logging.getLogger(__name__)


def _marker() -> str:
    return secrets.token_hex(8)


@dataclass
class Sharing:
    """How far other replicas know of a session. `text` is what the store held last, `told_at` when it was written (by
    the event loop's clock), `untold` what entered the session and could not be written yet."""

    text: str | None = None
    told_at: float = 0.0
    untold: dict[tuple[Trust, str], Origin] = field(default_factory=dict[tuple[Trust, str], Origin])
    lock: anyio.Lock = field(default_factory=anyio.Lock)


@dataclass
class SessionState:
    """`approved` are fingerprints of calls, `granted` are rules, that somebody approved for the rest of the session.
    An approval remembers the step at which it was given: what is read later may raise new doubts.
    `marker` fences outside content: nobody outside can guess it. `wary` holds while a model answers whose every write
    and command is asked about.
    """

    mode: Mode = Mode.DEFAULT
    granted: list[Rule] = field(default_factory=list[Rule])
    approved: dict[str, int] = field(default_factory=dict[str, int])
    taint: Taint = field(default_factory=Taint)
    loop: LoopGuard = field(default_factory=LoopGuard)
    marker: str = field(default_factory=_marker)
    wary: bool = False
    sharing: Sharing = field(default_factory=Sharing)


class Sessions:
    """The states of all live sessions. `mode` is the one that new sessions begin in, `repeated_calls` the number of
    same calls in a row that asks. Replicas know through `shared` of what entered a session and was approved in it."""

    def __init__(
        self, mode: Mode = Mode.DEFAULT, repeated_calls: int = TIMES, shared: "SharedSessions | None" = None
    ) -> None:
        self.shared = shared
        self._mode = mode
        self._repeated_calls = repeated_calls
        self._states: dict[str, SessionState] = {}

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._states)

    def of(self, session: str) -> SessionState:
        """The state of a session, made when it is first asked for."""
        if session not in self._states:
            self._states[session] = SessionState(self._mode, loop=LoopGuard(self._repeated_calls))
        return self._states[session]

    async def recall(self, session: str) -> SessionState:
        """The state of a session with what other replicas know of it. Raises StoreUnavailableError."""
        state = self.of(session)
        if self.shared is not None:
            await self.shared.recall(session, state)
        return state

    async def note(self, session: str, trust: Trust, origin: Origin) -> None:
        """A result entered the conversation. Where other replicas cannot be told, they are told at the next call."""
        state = self.of(session)
        if self.shared is None:
            state.taint.note(trust, origin)
            return
        try:
            await self.shared.note(session, state, trust, origin)
        except StoreUnavailableError as error:
            _log.warning("other replicas were not told what entered a session: %s", error)

    async def tell(self, session: str) -> None:
        """Tells other replicas what was approved; where they cannot be told, they ask."""
        if self.shared is None:
            return
        try:
            await self.shared.tell(session, self.of(session))
        except StoreUnavailableError as error:
            _log.warning("other replicas were not told what was approved in a session: %s", error)

    def set_mode(self, session: str, mode: Mode) -> None:
        self.of(session).mode = mode

    def mode(self, session: str) -> Mode:
        return self.of(session).mode

    def end(self, session: str) -> None:
        self._states.pop(session, None)
