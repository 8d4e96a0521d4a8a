"""Opens a session with a server over the transport that its definition asks for. Importing this imports the SDK."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import httpx2
import mcp_types as t

from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.hooks import Hooks
from mewcode.mcp.session import Mode, Session, open_session
from mewcode.mcp.transports.http import http, sse
from mewcode.mcp.transports.process import ServerProcess
from mewcode.mcp.transports.stderr import StandardError
from mewcode.mcp.transports.stdio import stdio
from mewcode.mcp.wire import Wire

if TYPE_CHECKING:
    from mewcode.mcp.attempt import Attempt


@dataclass(frozen=True)
class Opening:
    """How to open: everything that one attempt has at hand."""

    definition: ServerDefinition
    hooks: Hooks
    mode: Mode
    log_level: str
    longest_line: int
    server: ServerProcess | None = None
    errors: StandardError | None = None
    auth: httpx2.Auth | None = None


@asynccontextmanager
async def open_server(opening: Opening, attempt: "Attempt") -> AsyncGenerator[Session, None]:
    """Connects and negotiates. `attempt` learns what happens on the way, for when it fails."""
    definition = opening.definition
    third = definition.connect_timeout / 3
    # A server that was too slow for the first probe, and then did not take the old handshake, gets more time.
    wire = Wire(opening.hooks.noise, third if attempt.number else min(definition.probe_timeout, third))
    attempt.wire = wire
    async with AsyncExitStack() as stack:
        if opening.server is not None and opening.errors is not None:
            transport = stdio(opening.server, opening.errors, wire, opening.hooks.noise, opening.longest_line)
        elif definition.sse:
            transport = sse(definition, opening.auth)
        else:
            transport, attempt.soft = await stack.enter_async_context(
                http(definition, opening.auth, attempt.lost.set, opening.longest_line)
            )
        level = cast("t.LoggingLevel", opening.log_level)
        yield await stack.enter_async_context(open_session(transport, wire, opening.hooks, opening.mode, level))
