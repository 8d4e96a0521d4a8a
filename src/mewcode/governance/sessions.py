"""What the gate keeps for each session, and lets go of when it ends."""

import secrets
from dataclasses import dataclass, field

from mewcode.governance.loop_guard import TIMES, LoopGuard
from mewcode.governance.modes import Mode
from mewcode.governance.rules.rule import Rule
from mewcode.governance.taint import Taint


def _marker() -> str:
    return secrets.token_hex(8)


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


class Sessions:
    """The states of all live sessions. `mode` is the one that new sessions begin in, `repeated_calls` the number of
    same calls in a row that asks."""

    def __init__(self, mode: Mode = Mode.DEFAULT, repeated_calls: int = TIMES) -> None:
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

    def set_mode(self, session: str, mode: Mode) -> None:
        self.of(session).mode = mode

    def mode(self, session: str) -> Mode:
        return self.of(session).mode

    def end(self, session: str) -> None:
        self._states.pop(session, None)
