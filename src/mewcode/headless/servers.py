"""The MCP servers of a run: how they stand, and those that it cannot do without."""

from collections.abc import Iterable
from typing import Any

import anyio

from mewcode.errors import ServerMissingError
from mewcode.tools import ServerState, ToolRegistry

MAX_WAIT = 120.0
"""Seconds. A server's own connect deadline normally ends the wait earlier."""


def server_rows(registry: ToolRegistry) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "name": source.name,
            "state": source.state.value,
            "error": source.error,
            "tools": len(registry.of_server(source.name)),
        }
        for source in registry.sources.values()
    )


async def require_servers(registry: ToolRegistry, names: Iterable[str]) -> None:
    """Waits for each of `names`. Raises ServerMissingError for the first that does not get ready."""
    for name in names:
        source = registry.sources.get(name)
        if source is None:
            known = ", ".join(registry.sources) or "-"
            raise ServerMissingError("headless.server_unknown", server=name, names=known)
        with anyio.move_on_after(MAX_WAIT):
            await source.wait_settled()
        if source.state is not ServerState.READY:
            raise ServerMissingError("headless.server_missing", server=name, why=source.error or source.state.value)
