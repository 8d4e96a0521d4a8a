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

    @property
    def stale(self) -> bool:
        return time.monotonic() - self._asked > FRESH_SECONDS or not self._asked

    async def refresh(self, app: "App") -> None:
        """Asks the servers that are ready; one that does not answer is passed over."""
        from mewcode.mcp.errors import RpcError
        from mewcode.mcp.prompts import list_prompts
        from mewcode.mcp.resources import list_resources
        from mewcode.tools import ServerState

        self._asked = time.monotonic()
        resources: list[ResourceInfo] = []
        prompts: list[PromptInfo] = []
        for name, server in app.servers.servers.items():
            if server.source.state is not ServerState.READY:
                continue
            try:
                prompts += await list_prompts(app.servers.connection(name), LIST_SECONDS)
                resources += await list_resources(app.servers.connection(name), LIST_SECONDS)
            except (MewCodeError, RpcError):
                continue
        self.resources, self.prompts = tuple(resources), tuple(prompts)
