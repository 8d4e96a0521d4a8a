"""Tells clients of both eras that lists or resources have changed."""

import logging
from typing import Any

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mewcode.app.house import App

PAUSE = 0.1
"""Seconds in which several changes become one message."""
_log = logging.getLogger(__name__)


class Changes:
    """Knows the old era's open connections; the new era's clients listen on `bus`."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._sessions: dict[Any, ServerSession] = {}
        self._subscribed: dict[Any, set[str]] = {}
        self._changed = anyio.Event()

    def follow(self, app: App) -> None:
        """Hears of changes of this house's tools from now on."""
        app.registry.subscribe(lambda: self._changed.set())
        self._changed.set()

    async def remember(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Middleware: an old-era connection is known from its first message to its end."""
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS and ctx.method != "initialize":
            connection = _connection(ctx)
            if connection not in self._sessions and connection.has_standalone_channel:
                self._sessions[connection] = ctx.session
                connection.exit_stack.callback(self._forget, connection)
        return await call_next(ctx)

    def subscribe(self, ctx: ServerRequestContext[Any, Any], uri: str, *, end: bool = False) -> None:
        """Old era only."""
        uris = self._subscribed.setdefault(_connection(ctx), set())
        (uris.discard if end else uris.add)(uri)

    async def updated(self, uri: str) -> None:
        """A resource is no longer what it was."""
        await self.bus.publish(ResourceUpdated(uri=uri))
        for connection, uris in list(self._subscribed.items()):
            session = self._sessions.get(connection)
            if session is not None and uri in uris:
                await session.send_resource_updated(uri)

    async def run(self) -> None:
        """Passes changes on; give it a task."""
        while True:
            await self._changed.wait()
            await anyio.sleep(PAUSE)
            self._changed = anyio.Event()
            for event in (ToolsListChanged(), PromptsListChanged(), ResourcesListChanged()):
                await self.bus.publish(event)
            for session in list(self._sessions.values()):
                await session.send_tool_list_changed()
                await session.send_prompt_list_changed()
                await session.send_resource_list_changed()

    def _forget(self, connection: Any) -> None:
        self._sessions.pop(connection, None)
        self._subscribed.pop(connection, None)


def _connection(ctx: ServerRequestContext[Any, Any]) -> Any:
    """The SDK has no public way to speak to an old-era client outside a request."""
    return ctx.session._connection  # pyright: ignore[reportPrivateUsage]
