"""The MCP servers of the settings, ready to be started."""

from typing import TYPE_CHECKING

from mewcode.app.options import AppOptions
from mewcode.config import LoadedSettings, Paths
from mewcode.mcp import Catalogue, Gatekeeper, MCPManager, Ports, ServerDefinition, Surroundings, Watchdog
from mewcode.tools import ToolRegistry

if TYPE_CHECKING:
    from mewcode.mcp import Sdk


def server_definitions(loaded: LoadedSettings, options: AppOptions) -> list[ServerDefinition]:
    """All servers by name; those of the project that nobody has trusted yet are there to be shown, not started."""
    settings = loaded.settings
    definitions = [ServerDefinition.of(entry, settings.mcp) for entry in settings.mcp_servers.values()]
    definitions += [ServerDefinition.of_untrusted(one) for one in loaded.untrusted if one.kind == "server"]
    by_name = {definition.name: definition for definition in reversed(definitions)}
    wanted = options.servers
    return [one for one in reversed(by_name.values()) if wanted is None or one.name in wanted]


def open_manager(
    options: AppOptions, loaded: LoadedSettings, paths: Paths, registry: ToolRegistry, sdk: "Sdk | None" = None
) -> MCPManager:
    """Makes the manager; nothing is started before it is entered."""
    from mewcode.mcp import Sdk
    from mewcode.mcp.ports import SilentObserver

    group = loaded.settings.mcp
    ports = Ports(elicitation=options.elicitation, observer=options.observer or SilentObserver())
    around = Surroundings(
        workspace=options.workspace,
        watchdog=Watchdog(),
        sdk=sdk or Sdk(),
        ports=ports,
        logs=paths.logs,
        longest_line=group.max_line,
        list_timeout=group.list_timeout,
    )
    return MCPManager(
        server_definitions(loaded, options),
        registry,
        around,
        catalogue=Catalogue(paths.cache / "catalogue"),
        gatekeeper=Gatekeeper(loaded.settings.mcp_allowed_commands),
    )
