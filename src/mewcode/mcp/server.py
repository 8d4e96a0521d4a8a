"""One configured server with all that belongs to it."""

from dataclasses import dataclass, field

import anyio

from mewcode.mcp.calling import Caller
from mewcode.mcp.connection import Connection
from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.tool_definition import ToolDefinition
from mewcode.tools import ServerSource


@dataclass
class Server:
    """Where each principal has a connection of its own, one of these stands for each, and one for the server itself,
    whose connection is never opened."""

    definition: ServerDefinition
    source: ServerSource
    connection: Connection
    caller: Caller = field(init=False)
    tools: tuple[ToolDefinition, ...] = ()
    running: bool = False
    ended: anyio.Event = field(default_factory=anyio.Event)
    """Set when its task has run to its end, and a new connection is in place for the next start."""

    def __post_init__(self) -> None:
        self.use(self.connection)

    def use(self, connection: Connection) -> None:
        """A connection ends for good; the next start gets a new one."""
        self.connection, self.caller = connection, Caller(connection)

    @property
    def version(self) -> str | None:
        """The protocol version spoken with it last."""
        return self.connection.version
