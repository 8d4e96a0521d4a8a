"""The servers that tools come from, as the registry knows them: a state, an error, and a way to wait."""

import math
import time
from dataclasses import dataclass, field
from enum import Enum

import anyio


class ServerState(str, Enum):
    OFF = "off"
    NEEDS_TRUST = "needs-trust"
    CONNECTING = "connecting"
    READY = "ready"
    RETRYING = "retrying"
    NEEDS_AUTH = "needs-auth"
    FAILED = "failed"
    STOPPED = "stopped"

    @property
    def settled(self) -> bool:
        """Whether waiting any longer would change nothing by itself."""
        return self is not ServerState.CONNECTING


@dataclass
class ServerSource:
    """One MCP server as the rest of the program sees it. Fed by `mcp/`, read by everybody.

    `prefix` is how the model's names of its tools begin; `summary` is a line about the server for people and models;
    `wanted` is set when somebody waits for it.
    """

    name: str
    prefix: str
    state: ServerState = ServerState.CONNECTING
    error: str | None = None
    era: str | None = None
    transport: str = ""
    summary: str = ""
    wanted: anyio.Event = field(default_factory=anyio.Event, repr=False)
    _changed: anyio.Event = field(default_factory=anyio.Event, repr=False)
    _connecting_since: float = field(default_factory=time.monotonic, repr=False)

    def move(self, state: ServerState, error: str | None = None) -> None:
        """Records a new state and wakes whoever waits."""
        if state is ServerState.CONNECTING and self.state.settled:
            self._connecting_since = time.monotonic()
        self.state, self.error = state, error
        changed, self._changed = self._changed, anyio.Event()
        changed.set()

    async def wait_settled(self, patience: float = math.inf) -> ServerState:
        """Returns once the server is no longer connecting, or has been for `patience` seconds: whoever comes after that
        does not wait at all. Without it, bound the wait with a deadline of your own."""
        left = self._connecting_since + patience - time.monotonic()
        if left > 0 and not self.state.settled:
            self.wanted.set()
            with anyio.move_on_after(left):
                while not self.state.settled:
                    await self._changed.wait()
        return self.state
