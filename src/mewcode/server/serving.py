"""`mewcode serve` from its options to its end."""

import anyio

from mewcode.app.loading import load_for
from mewcode.app.options import AppOptions
from mewcode.app.principals import local_user
from mewcode.calls import Door
from mewcode.config import LoadedSettings, Paths
from mewcode.errors import UsageError
from mewcode.server.callers import Callers
from mewcode.server.calls import ToolCalls
from mewcode.server.front import Front
from mewcode.server.houses import Houses
from mewcode.server.offer import Naming
from mewcode.server.options import ServeOptions
from mewcode.server.stdio import serve_stdio

ALL = "all"


async def serve(options: ServeOptions) -> None:
    """Serves until the client leaves (stdio) or the process is told to end (HTTP)."""
    app_options = app_options_of(options)
    loaded = load_for(app_options, Paths.from_environment(app_options.environ))
    settings = loaded.settings.server
    door = app_options.door
    role = options.role or settings.role or app_options.environ.get("MEWCODE_ROLE")
    if role is not None and role not in loaded.settings.roles:
        raise UsageError("serve.unknown_role", role=role, known=", ".join(loaded.settings.roles) or "-")
    callers = Callers.of(door, local_user(app_options), role)
    async with anyio.create_task_group() as tasks:
        houses = Houses(lambda: app_options_of(options), settings.drain, tasks)
        await houses.open()
        front = Front(houses, callers, ToolCalls(), naming_of(options, loaded))
        try:
            await serve_stdio(front)
        finally:
            houses.close()


def app_options_of(options: ServeOptions) -> AppOptions:
    """What the house is built with; read anew at every reload, since upstreams may stand in the settings."""
    from mewcode.app.options import AppOptions

    more = {} if options.environ is None else {"environ": options.environ}
    plain = AppOptions(
        door=Door.SERVE_STDIO if options.http is None else Door.SERVE_HTTP,
        workspace=next(iter(options.workspaces.values())),
        trust_project=options.trust_project,
        mcp_config=options.mcp_config,
        **more,
    )
    loaded = load_for(plain, Paths.from_environment(plain.environ))
    from dataclasses import replace

    return replace(plain, servers=upstreams_of(options, loaded))


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


def naming_of(options: ServeOptions, loaded: LoadedSettings) -> Naming:
    return Naming(options.prefix if options.prefix is not None else loaded.settings.server.prefix)
