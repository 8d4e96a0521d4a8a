"""The first steps to a server: its process, and everything that opening a session needs."""

from typing import TYPE_CHECKING

from mewcode.mcp.attempt import Attempt
from mewcode.mcp.definition import Era, ServerDefinition
from mewcode.mcp.hooks import Hooks
from mewcode.mcp.surroundings import Surroundings
from mewcode.mcp.transports.environment import server_environment
from mewcode.mcp.transports.process import ServerProcess
from mewcode.mcp.transports.stderr import StandardError

if TYPE_CHECKING:
    from mewcode.mcp.opening import Opening


async def start_process(
    definition: ServerDefinition, around: Surroundings, attempt: Attempt, log_name: str
) -> ServerProcess:
    """Starts the server's command in its own environment and directory. Raises CannotStartError."""
    directory = definition.directory(around.workspace)
    wrap = around.wrap(definition) if around.wrap else None
    command = wrap(definition.command, directory) if wrap else definition.command
    if definition.principal is not None:
        log_name = f"{log_name}-{definition.key[:12]}"
    log = around.logs / f"{log_name}.log" if around.logs else None
    attempt.errors = StandardError(log, definition.hide)
    env = server_environment(definition.env)
    attempt.server = await ServerProcess.start(command, env, directory, around.watchdog, around.shutdown_timeout)
    return attempt.server


async def prepare(
    definition: ServerDefinition, around: Surroundings, attempt: Attempt, hooks: Hooks, known_era: Era | None
) -> "Opening":
    """Imports the SDK and collects what `open_server` needs."""
    await around.sdk.load()
    from mewcode.mcp.opening import Opening

    attempt.stage = "initialize"
    wanted = known_era if definition.era == "auto" else definition.era
    return Opening(
        definition=definition,
        hooks=hooks,
        mode="legacy" if wanted == "legacy" else "auto",
        log_level=around.log_level,
        longest_line=around.longest_line,
        server=attempt.server,
        errors=attempt.errors,
        auth=await around.auth.auth_for(definition) if around.auth and not definition.command else None,
    )
