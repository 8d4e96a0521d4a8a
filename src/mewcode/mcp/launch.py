"""From settings to a manager: which servers there are, and what they share."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.config import LoadedSettings, Paths
from mewcode.mcp.backoff import Backoff
from mewcode.mcp.catalogue import Catalogue
from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.manager import MCPManager
from mewcode.mcp.ports import Ports
from mewcode.mcp.principals import PrincipalRules
from mewcode.mcp.surroundings import AuthSource, Sdk, Surroundings, Wrap
from mewcode.mcp.transports.watchdog import Watchdog
from mewcode.mcp.trust import Gatekeeper
from mewcode.tools import ToolRegistry

if TYPE_CHECKING:
    from mewcode.mcp.logins import Logins


def definitions_of(loaded: LoadedSettings) -> list[ServerDefinition]:
    """Every server of the settings, and those of the project that wait for trust; a user's own server goes before a
    proposal of the same name."""
    settings = loaded.settings
    known = [ServerDefinition.of(entry, settings.mcp) for entry in settings.mcp_servers.values()]
    names = {definition.name for definition in known}
    waiting = [one for one in loaded.untrusted if one.kind == "server" and one.name not in names]
    return known + [ServerDefinition.of_untrusted(one) for one in waiting]


def manager_of(
    loaded: LoadedSettings,
    paths: Paths,
    registry: ToolRegistry,
    *,
    ports: Ports | None = None,
    only: Sequence[str] | None = None,
    wrap: Callable[[ServerDefinition], Wrap | None] | None = None,
    roots: Callable[[], tuple[Path, ...]] | None = None,
    auth: AuthSource | None = None,
    import_sdk_when: Callable[[], Awaitable[None]] | None = None,
    principals: PrincipalRules | None = None,
) -> MCPManager:
    """A manager for the servers of the settings, or for `only` some of them. Enter it to start them.

    `wrap` gives the sandbox of a server; `import_sdk_when` may hold the import of the SDK back until the first request
    to the model is out. `principals` gives each principal connections of its own, where servers are marked so. Without
    `auth` the logins are those that `mewcode mcp login` stored.
    """
    group = loaded.settings.mcp
    around = Surroundings(
        workspace=loaded.workspace,
        watchdog=Watchdog(),
        sdk=Sdk(import_sdk_when) if import_sdk_when else Sdk(),
        ports=ports or Ports(),
        logs=paths.logs,
        auth=auth or stored_logins(paths),
        wrap=wrap,
        roots=roots,
        longest_line=int(group.max_line),
        list_timeout=group.list_timeout,
        shutdown_timeout=group.shutdown_timeout,
        max_tools=group.max_tools,
        instructions_bytes=group.instructions_bytes,
        backoff=Backoff(group.backoff_min, group.backoff_max),
    )
    chosen = [one for one in definitions_of(loaded) if only is None or one.name in only]
    return MCPManager(
        chosen,
        registry,
        around,
        catalogue=Catalogue(paths.cache / "catalogue"),
        gatekeeper=Gatekeeper(loaded.settings.mcp_allowed_commands),
        principals=principals,
    )


def stored_logins(paths: Paths) -> "Logins":
    """The logins of earlier `mewcode mcp login`s."""
    from mewcode.mcp.logins import Logins
    from mewcode.state.secret_store import SecretStore

    return Logins(SecretStore(paths.tokens))
