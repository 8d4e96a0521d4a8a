"""What the house behind the server is built with."""

from dataclasses import replace

from mewcode.app.house import App
from mewcode.app.loading import load_for
from mewcode.app.options import AppOptions
from mewcode.calls import Door
from mewcode.config import LoadedSettings, Paths
from mewcode.errors import UsageError
from mewcode.server.gateway.relay import Relay
from mewcode.server.options import ServeOptions
from mewcode.server.workspaces import roots_by_principal

ALL = "all"


def plain_options(options: ServeOptions) -> AppOptions:
    """Enough to read the settings."""
    plain = AppOptions(
        door=Door.SERVE_STDIO if options.http is None else Door.SERVE_HTTP,
        workspace=next(iter(options.workspaces.values())),
        trust_project=options.trust_project,
        mcp_config=options.mcp_config,
    )
    return plain if options.environ is None else replace(plain, environ=options.environ)


def app_options_of(options: ServeOptions, relay: Relay, before: App | None = None) -> AppOptions:
    """Made anew for every reload: which upstreams there are stands in the settings. What sessions have seen in the
    house `before` is not forgotten."""
    plain = plain_options(options)
    loaded = load_for(plain, Paths.from_environment(plain.environ))
    roots = roots_by_principal(options.workspaces, loaded)
    return replace(
        plain,
        servers=upstreams_of(options, loaded),
        roots=roots,
        folders=tuple(options.workspaces.values()) if len(options.workspaces) > 1 else (),
        loop_guard=False,
        elicitation=relay,
        sampling=relay,
        observer=relay,
        observer_of=relay.of,
        many_principals=True,
        sessions=None if before is None else before.gate.sessions,
    )


def upstreams_of(options: ServeOptions, loaded: LoadedSettings) -> tuple[str, ...] | None:
    """The servers whose tools are passed on; None for all. Raises UsageError for a name that is not configured."""
    given = options.upstreams
    if given is None:
        setting = loaded.settings.server.upstreams
        given = (setting,) if isinstance(setting, str) else tuple(setting)
    if ALL in given:
        return None
    known = {*loaded.settings.mcp_servers, *(one.name for one in loaded.untrusted if one.kind == "server")}
    for name in given:
        if name not in known:
            raise UsageError("mcp.unknown_server", server=name, known=", ".join(sorted(known)) or "-")
    return given
