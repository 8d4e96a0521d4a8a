"""The servers that tools come from, as the registry knows them: a state, an error, and a way to wait."""

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

    `prefix` is how the model's names of its tools begin; `summary` is a line about the server for people and models.
    """

    name: str
    prefix: str
    state: ServerState = ServerState.CONNECTING
    error: str | None = None
    era: str | None = None
    transport: str = ""
    summary: str = ""
    _changed: anyio.Event = field(default_factory=anyio.Event, repr=False)

    def move(self, state: ServerState, error: str | None = None) -> None:
        """Records a new state and wakes whoever waits."""
        self.state, self.error = state, error
        changed, self._changed = self._changed, anyio.Event()
        changed.set()

    async def wait_settled(self) -> ServerState:
        """Returns once the server is no longer connecting. Bound the wait with a deadline of your own."""
        while not self.state.settled:
            await self._changed.wait()
        return self.state
