"""What a server says and asks by itself, and to which of our calls that belongs."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

import anyio

from mewcode.calls import ToolCall
from mewcode.mcp.clean import clean
from mewcode.mcp.deadlines import IdleDeadline
from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.ports import Elicitation, ElicitationAnswer, Ports, SamplingAnswer, SamplingRequest

MOST_NOTICES = 50
LONGEST_LOG = 4_000
"""Characters of a log message."""
PATIENCE_WITH_CALLERS = 1.0
"""Seconds that a caller gets to take a log message."""


@dataclass(frozen=True)
class InFlight:
    """A call that waits for its result."""

    call: ToolCall
    deadline: IdleDeadline


_current: ContextVar[InFlight | None] = ContextVar("mewcode_mcp_in_flight", default=None)


class ServerVoice:
    """The `Hooks` of one connection. Says each notice once; stops the clock of a call while a person is asked."""

    def __init__(self, definition: ServerDefinition, ports: Ports, roots: Callable[[], tuple[Path, ...]]) -> None:
        self.server = definition.name
        self.notices: list[str] = []
        self.changed = anyio.Event()
        self.asks = False
        """Whether it ever asked something during a call: then it gets one call at a time in the old era."""
        self._definition = definition
        self._ports = ports
        self._roots = roots
        self._flying: list[InFlight] = []

    @property
    def elicits(self) -> bool:
        return self._ports.elicitation is not None

    @property
    def samples(self) -> bool:
        return self._ports.sampling is not None and self._definition.sampling

    @contextmanager
    def during(self, flight: InFlight) -> Generator[None, None, None]:
        """While a call runs: what the server asks meanwhile belongs to it."""
        self._flying.append(flight)
        token = _current.set(flight)
        try:
            yield
        finally:
            _current.reset(token)
            self._flying.remove(flight)

    async def elicit(self, request: Elicitation) -> ElicitationAnswer:
        if self._ports.elicitation is None:
            return ElicitationAnswer("decline")
        flight = self._asking()
        with _paused(flight):
            return await self._ports.elicitation.ask(request, flight.call if flight else None)

    async def sample(self, request: SamplingRequest) -> SamplingAnswer | None:
        if self._ports.sampling is None or not self._definition.sampling:
            return None
        flight = self._asking()
        with _paused(flight):
            return await self._ports.sampling.create(request, flight.call if flight else None)

    def roots(self) -> tuple[Path, ...]:
        return self._roots()

    async def log(self, level: str, text: str) -> None:
        """A log message goes to whoever listens to all servers, and to the call that it belongs to."""
        cleaned = clean(text)[:LONGEST_LOG]
        self._ports.observer.log(self.server, level, cleaned)
        flight = self._flight()
        if flight is not None:
            # A caller who does not take it must not hold up the server's other messages.
            with anyio.move_on_after(PATIENCE_WITH_CALLERS):
                await flight.call.channel.log(level, cleaned)

    def noise(self, text: str) -> None:
        """Reports what was mended or ignored; the same words once, and not without end."""
        if text in self.notices or len(self.notices) >= MOST_NOTICES:
            return
        self.notices.append(text)
        self._ports.observer.notice(self.server, text)

    def listening(self) -> None:
        self.changed.set()

    def tools_changed(self) -> None:
        self.changed.set()

    def lists_changed(self) -> None:
        self._ports.observer.lists_changed(self.server)

    def resource_updated(self, uri: str) -> None:
        self._ports.observer.resource_updated(self.server, uri)

    def _asking(self) -> InFlight | None:
        self.asks = True
        return self._flight()

    def _flight(self) -> InFlight | None:
        """The call that something of the server's belongs to: our own context in the new era, in the old the only call
        in flight."""
        current = _current.get()
        if current is not None and current in self._flying:
            return current
        return self._flying[0] if len(self._flying) == 1 else None


@contextmanager
def _paused(flight: InFlight | None) -> Generator[None, None, None]:
    """While a person is asked no clock of the call runs: neither ours nor the gate's."""
    if flight is None:
        yield
        return
    with flight.deadline.paused(), flight.call.asking():
        yield
