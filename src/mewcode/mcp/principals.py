"""What each principal adds to a server with `credentials: principal`, and how many connections that may make."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mewcode.errors import SettingsError
from mewcode.mcp.definition import ServerDefinition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mewcode.config import LoadedSettings
    from mewcode.config.schema.permissions import PrincipalServer

MOST_OPEN = 64
"""Open connections to one server, of all principals together, unless the settings say otherwise."""
IDLE_AFTER = 600.0
"""Seconds without a call after which a principal's connection is closed, unless the settings say otherwise."""


@dataclass(frozen=True)
class Own:
    """What one principal gives to one server."""

    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


@dataclass(frozen=True)
class PrincipalRules:
    """`own` is by principal and server."""

    own: Mapping[tuple[str, str], Own] = field(default_factory=dict[tuple[str, str], Own])
    most_open: int = MOST_OPEN
    idle_after: float = IDLE_AFTER

    def definition(self, server: ServerDefinition, principal: str) -> ServerDefinition:
        """The server as this principal reaches it: with its credentials, and with those of nobody else."""
        own = self.own.get((principal, server.name), Own())
        names = {name.lower() for name in own.headers}
        shared = {name: value for name, value in server.headers.items() if name.lower() not in names}
        return replace(server, principal=principal, headers={**shared, **own.headers}, env={**server.env, **own.env})


def principal_rules(loaded: "LoadedSettings") -> PrincipalRules:
    """Raises SettingsError where a credential would be shared, or given to a server that has no use for it."""
    settings = loaded.settings
    for entry in settings.mcp_servers.values():
        if entry.credentials == "principal":
            for key in _shared(ServerDefinition.of(entry, settings.mcp)):
                raise SettingsError("mcp.shared_credential", server=entry.name, key=key, place=entry.place)
    own: dict[tuple[str, str], Own] = {}
    for name, principal in settings.principals.items():
        for server, given in principal.servers.items():
            _check(loaded, name, server, given)
            own[name, server] = Own(given.headers, given.env)
    return PrincipalRules(own, settings.server.principal_connections, settings.server.principal_idle)


def _shared(server: ServerDefinition) -> "Iterator[str]":
    """The keys of an entry that hold a credential: everybody would come with it."""
    from mewcode.config.secrets import is_secret_name

    key = f"mcp_servers.{server.name}"
    yield from (f"{key}.headers.{name}" for name in server.headers if is_secret_name(name))
    yield from (f"{key}.env.{name}" for name in server.env if is_secret_name(name))
    if server.oauth is not None and server.oauth.grant == "client_credentials":
        yield f"{key}.oauth.grant"
    if server.tls.cert is not None:
        yield f"{key}.tls.cert"
    if urlsplit(server.url).password:
        yield f"{key}.url"


def _check(loaded: "LoadedSettings", principal: str, server: str, given: "PrincipalServer") -> None:
    key = f"principals.{principal}.servers.{server}"
    entry = loaded.settings.mcp_servers.get(server)
    if entry is None:
        known = ", ".join(loaded.settings.mcp_servers) or "-"
        raise SettingsError("mcp.own_of_unknown_server", key=key, server=server, known=known)
    if entry.credentials != "principal":
        raise SettingsError("mcp.own_of_shared_server", key=key, server=server)
    useless = "env" if entry.url and given.env else "headers" if entry.command and given.headers else None
    if useless is not None:
        raise SettingsError("mcp.own_of_no_use", key=f"{key}.{useless}", server=server, transport=entry.transport)
