"""2026-07-28: a call whose upstream server asks in the midst of it, as servers of 2025-11-25 do.

The client's request ends with the question, while the call itself waits here, its request to the server open. The
client's next request brings the answers, and takes the call up again; it is never begun a second time.
"""

import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import anyio
import mcp_types as t

from mewcode.calls import Channel, SilentChannel

Outcome: TypeAlias = t.CallToolResult | t.InputRequiredResult
Question: TypeAlias = t.ElicitRequest | t.CreateMessageRequest

SUSPENDED = "suspended"
"""In the state that travels: which call waits, and where."""


@dataclass(frozen=True)
class Ticket:
    """What the client brings back: good for one `turn` of questions of one call, at the replica that holds it."""

    replica: str
    call: str
    turn: str

    @classmethod
    def read(cls, state: str | None) -> "Ticket | None":
        """None where the state is none of these."""
        try:
            whole: Any = json.loads(state or "null")
        except ValueError:
            return None
        found = cast("Mapping[str, Any]", whole).get(SUSPENDED) if isinstance(whole, Mapping) else None
        if not isinstance(found, Mapping):
            return None
        named = cast("Mapping[str, Any]", found)
        return cls(str(named.get("replica")), str(named.get("call")), str(named.get("turn")))

    def state(self) -> str:
        return json.dumps({SUSPENDED: {"replica": self.replica, "call": self.call, "turn": self.turn}})


class Line:
    """A call's channel to whichever request of its client's stands at the moment. In between nobody hears it."""

    def __init__(self) -> None:
        self.channel: Channel = SilentChannel()

    async def progress(self, done: float, total: float | None, note: str | None) -> None:
        await self.channel.progress(done, total, note)

    async def log(self, level: str, text: str) -> None:
        await self.channel.log(level, text)

    async def output(self, text: str) -> None:
        await self.channel.output(text)


@dataclass
class _Open:
    """A question that the server waits with."""

    question: Question
    told: bool = False
    answer: t.InputResponse | None = None
    settled: anyio.Event = field(default_factory=anyio.Event)


class SuspendedCall:
    """`patience` are the seconds that a question waits for its answer; `room` says whether one more may wait at all."""

    def __init__(
        self, call_id: str, principal: str, replica: str, patience: float, room: Callable[[str], bool]
    ) -> None:
        self.id = call_id
        self.principal = principal
        self.line = Line()
        self.ended = False
        self._replica = replica
        self._patience = patience
        self._room = room
        self._turn: str | None = None
        self._questions = 0
        self._open: dict[str, _Open] = {}
        self._news = anyio.Event()
        self._scope = anyio.CancelScope()
        self._outcome: Outcome | Exception | None = None

    @property
    def waits(self) -> bool:
        """Whether it waits for its client."""
        return bool(self._open)

    @property
    def abandoned(self) -> bool:
        """Whether its client was asked and never came back."""
        return self._turn is not None

    @property
    def how(self) -> str:
        """How it ended, in words for the client's model."""
        if isinstance(self._outcome, t.CallToolResult):
            return "it ended with an error" if self._outcome.is_error else "it ended without an error"
        return "how it ended is not known"

    async def run(self, work: Callable[["SuspendedCall"], Awaitable[Outcome]]) -> None:
        """Carries the call out, however many requests of its client that takes."""
        try:
            with self._scope:
                self._outcome = await work(self)
        except Exception as error:  # noqa: BLE001  it is raised where the client waits
            self._outcome = error
        finally:
            self.ended = True
            self._wake()

    async def ask(self, question: Question) -> t.InputResponse | None:
        """The client's answer; None where it gave none, or too many questions wait already."""
        if not self._room(self.principal):
            return None
        self._questions += 1
        key = f"upstream_{self._questions}"
        waiting = self._open[key] = _Open(question)
        self._wake()
        try:
            with anyio.move_on_after(self._patience):
                await waiting.settled.wait()
        finally:
            del self._open[key]
        return waiting.answer

    def take(self, ticket: Ticket, responses: Mapping[str, t.InputResponse]) -> bool:
        """Gives the server its answers. False for a ticket that was used already; what the client left unanswered
        stays so."""
        if self._turn is None or ticket.turn != self._turn:
            return False
        self._turn = None
        for key, waiting in self._open.items():
            if waiting.told:
                waiting.answer = responses.get(key)
                waiting.settled.set()
        return True

    async def news(self, channel: Channel) -> Outcome:
        """What the client's request is answered with: the end of the call, or what it is asked next.

        Raises what the call raised. A client that gives its request up gives the call up.
        """
        self.line.channel = channel
        try:
            while not self.ended:
                asked = {key: one for key, one in self._open.items() if not one.told}
                if asked:
                    return self._put(asked)
                await self._news.wait()
            if self._outcome is None:
                raise RuntimeError("the call was cut off")
            if isinstance(self._outcome, Exception):
                raise self._outcome
            return self._outcome
        except anyio.get_cancelled_exc_class():
            self._scope.cancel()
            raise
        finally:
            self.line.channel = SilentChannel()

    def _put(self, asked: Mapping[str, _Open]) -> t.InputRequiredResult:
        for one in asked.values():
            one.told = True
        self._turn = secrets.token_hex(8)
        state = Ticket(self._replica, self.id, self._turn).state()
        requests: dict[str, t.InputRequest] = {key: one.question for key, one in asked.items()}
        return t.InputRequiredResult(input_requests=requests, request_state=state)

    def _wake(self) -> None:
        news, self._news = self._news, anyio.Event()
        news.set()
