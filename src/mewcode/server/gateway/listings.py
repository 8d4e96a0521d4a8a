"""What ready upstream servers list besides tools, as they sent it. One that fails costs only its own entries."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mewcode.app.house import App
from mewcode.calls import Principal
from mewcode.governance.reach import may_reach
from mewcode.mcp.connection import Connection
from mewcode.mcp.errors import RpcError, ServerGoneError, TimedOutError
from mewcode.mcp.listing import all_entries
from mewcode.server.gateway.upstreams import upstreams
from mewcode.tools import ServerState

Kind: TypeAlias = Literal["resources", "templates", "prompts"]

_KEYS: Mapping[Kind, tuple[str, str, str]] = {
    "resources": ("resources", "resources", "uri"),
    "templates": ("resources", "resourceTemplates", "uriTemplate"),
    "prompts": ("prompts", "prompts", "name"),
}
"""The capability, the key of the list, and what identifies an entry."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Listed:
    server: str
    wire: Mapping[str, Any]


async def listed(app: App, principal: Principal, kind: Kind) -> list[Listed]:
    """In the order of the servers' names, each server's entries in its own order."""
    await upstreams(app, principal)
    found: list[Listed] = []
    for name in sorted(app.servers.servers):
        if app.servers.servers[name].source.state is ServerState.READY:
            found += [Listed(name, entry) for entry in await _entries(app, principal, name, kind)]
    return found


async def _entries(app: App, principal: Principal, server: str, kind: Kind) -> list[dict[str, Any]]:
    if app.servers.is_owned(server) and not may_reach(app.policy, principal, server):
        return []
    try:
        connection = await ready_connection(app, principal, server)
    except ServerGoneError as error:
        _log.warning("the %s of %s could not be listed: %s", kind, server, error)
        return []
    capability, key, identity = _KEYS[kind]
    if connection.session is None or capability not in connection.session.capabilities:
        return []
    noise = connection.voice.noise

    async def ask(session: Any) -> list[dict[str, Any]]:
        fetch = {
            "resources": session.list_resources,
            "templates": session.list_templates,
            "prompts": session.list_prompts,
        }[kind]
        return await all_entries(fetch, key, identity, noise)

    try:
        return await connection.read(ask, app.settings.mcp.list_timeout)
    except (RpcError, ServerGoneError, TimedOutError) as error:
        _log.warning("the %s of %s could not be listed: %s", kind, server, error)
        return []


async def ready_connection(app: App, principal: Principal, server: str) -> Connection:
    """The connection to a server that this principal's requests go over: its own, where it has one."""
    reached = await app.servers.server_for(server, principal.name)
    await reached.source.wait_settled()
    return reached.connection
