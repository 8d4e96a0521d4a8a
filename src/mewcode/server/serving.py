"""`mewcode serve` from its options to its end."""

import sys

import anyio

from mewcode.app.loading import load_for
from mewcode.app.principals import local_user
from mewcode.config import LoadedSettings, Paths
from mewcode.errors import UsageError
from mewcode.messages import message
from mewcode.server.callers import Callers
from mewcode.server.calls import ToolCalls
from mewcode.server.front import Front
from mewcode.server.house_options import app_options_of, plain_options
from mewcode.server.houses import Houses
from mewcode.server.http.door import open_door
from mewcode.server.http.listener import bind
from mewcode.server.offer import Naming
from mewcode.server.options import ServeOptions
from mewcode.server.stdio import serve_stdio

ROLE_VARIABLE = "MEWCODE_ROLE"


async def serve(options: ServeOptions) -> None:
    """Serves until the client leaves (stdio) or the process is told to end (HTTP).

    Raises UsageError and SettingsError (exit 2) for what cannot be served.
    """
    plain = plain_options(options)
    loaded = load_for(plain, Paths.from_environment(plain.environ))
    settings = loaded.settings.server
    role = options.role or settings.role or plain.environ.get(ROLE_VARIABLE)
    if role is not None and role not in loaded.settings.roles:
        raise UsageError("serve.unknown_role", role=role, known=", ".join(loaded.settings.roles) or "-")
    callers = Callers.of(plain.door, local_user(plain), role)
    sockets = [] if options.http is None else [bind(options.http)]
    try:
        async with anyio.create_task_group() as tasks:
            houses = Houses(lambda: app_options_of(options), settings.drain, tasks)
            await houses.open()
            front = Front(houses, callers, ToolCalls(), naming_of(options, loaded))
            try:
                if options.http is None:
                    await serve_stdio(front)
                else:
                    await open_door(options, loaded, front, houses, sockets, _say)
            finally:
                houses.close()
    finally:
        for one in sockets:
            one.close()


def naming_of(options: ServeOptions, loaded: LoadedSettings) -> Naming:
    return Naming(options.prefix if options.prefix is not None else loaded.settings.server.prefix)


def _say(url: str) -> None:
    """Standard output carries nothing here, so that a script may read the address from standard error."""
    sys.stderr.write(message("serve.listening", url=url) + "\n")
    sys.stderr.flush()
