"""What the servers offer besides tools, kept for completion: resources and prompts."""

import time
from typing import TYPE_CHECKING

from mewcode.errors import MewCodeError

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.mcp.prompts import PromptInfo
    from mewcode.mcp.resources import ResourceInfo

FRESH_SECONDS = 30.0
LIST_SECONDS = 10.0


class Offers:
    """Plain lists, renewed by `refresh`; nothing waits for a server."""

    def __init__(self) -> None:
        self.resources: tuple[ResourceInfo, ...] = ()
        self.prompts: tuple[PromptInfo, ...] = ()
        self._asked = 0.0
        self.answered: frozenset[str] = frozenset()

    def stale(self, app: "App") -> bool:
        """Also as soon as another server is ready."""
        return time.monotonic() - self._asked > FRESH_SECONDS or ready_servers(app) != self.answered

    def forget(self) -> None:
        """They are asked for again at the next look."""
        self.answered = frozenset()

    def prompt(self, name: str) -> "PromptInfo | None":
        """The prompt behind `mcp:server:name`."""
        return next((one for one in self.prompts if name == f"mcp:{one.server}:{one.name}"), None)

    async def refresh(self, app: "App") -> None:
        """Asks the servers that are ready; one that does not answer is passed over."""
        self._asked, self.answered = time.monotonic(), ready_servers(app)
        found = [await _offers_of(app, name) for name in sorted(self.answered)]
        self.resources = tuple(one for resources, _ in found for one in resources)
        self.prompts = tuple(one for _, prompts in found for one in prompts)


async def _offers_of(app: "App", name: str) -> "tuple[list[ResourceInfo], list[PromptInfo]]":
    from mewcode.mcp.errors import RpcError
    from mewcode.mcp.prompts import list_prompts
    from mewcode.mcp.resources import list_resources

    try:
        connection = app.servers.connection(name)
        return await list_resources(connection, LIST_SECONDS), await list_prompts(connection, LIST_SECONDS)
    except (MewCodeError, RpcError):
        return [], []


def ready_servers(app: "App") -> frozenset[str]:
    return frozenset(name for name, source in app.registry.sources.items() if source.state.value == "ready")
