"""The connection in which a person logs in."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.errors import McpError
from mewcode.mcp.examine import examine
from mewcode.mcp.logins import LoginPort, Logins
from mewcode.mcp.surroundings import Surroundings
from mewcode.mcp.transports.watchdog import Watchdog

if TYPE_CHECKING:
    import httpx2

PATIENCE = 660.0
"""Seconds for the whole login: a minute more than the person gets."""


@dataclass(frozen=True)
class _Asking:
    logins: Logins
    person: LoginPort

    async def auth_for(self, definition: ServerDefinition) -> "httpx2.Auth | None":
        return await self.logins.login(definition, self.person)


async def first_login(definition: ServerDefinition, logins: Logins, person: LoginPort) -> int:
    """Connects, asks `person` when the server wants a login, and keeps it. Returns the number of tools.

    Raises McpError that says why the login failed.
    """
    around = Surroundings(Path.cwd(), Watchdog(), auth=_Asking(logins, person))
    patient = replace(definition, connect_timeout=PATIENCE)
    result = await examine(patient, around, lambda step: None)
    if result.error is not None:
        raise McpError("mcp.login_failed", server=definition.name, why=result.error)
    return result.counts.get("tools", 0)
