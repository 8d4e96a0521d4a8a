"""Subscriptions to resources: files of the workspaces are looked at, upstream servers are subscribed to."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import anyio.to_thread
import mcp_types as t
from mcp.shared.exceptions import MCPError

from mewcode.app.house import App
from mewcode.calls import Effect, Principal
from mewcode.governance.request import Request
from mewcode.mcp.errors import RpcError, ServerGoneError, TimedOutError
from mewcode.mcp.resources import subscribe
from mewcode.server.gateway.listings import ready_connection
from mewcode.server.gateway.relay import Relay
from mewcode.server.gateway.resources import READ_UPSTREAM, Resources

LOOK_EVERY = 1.0
"""Seconds between two looks at files."""
MOST_WATCHED = 1_000


class Watching:
    def __init__(self, resources: Resources, relay: Relay) -> None:
        self._resources = resources
        self._relay = relay
        self._files: dict[str, tuple[Path, object]] = {}

    async def watch(self, app: App, principal: Principal, uri: str) -> None:
        """Raises MCPError for what this principal may not read."""
        target = await self._resources.target(app, principal, uri)
        if target is None:
            raise MCPError(t.INVALID_PARAMS, "Resource not found", {"uri": uri[:500]})
        tool, arguments = target
        if tool == READ_UPSTREAM:
            await self._subscribe(app, principal, arguments["server"], uri)
            return
        found = app.registry.get(tool)
        roots = app.options.roots(principal) if app.options.roots else (app.workspace,)
        if found is None or app.policy.judge(Request(found, arguments, principal, roots)).effect is Effect.DENY:
            raise MCPError(t.INVALID_PARAMS, "Resource not found", {"uri": uri[:500]})
        if len(self._files) < MOST_WATCHED:
            path = Path(arguments["path"])
            self._files.setdefault(uri, (path, _state(path)))

    async def run(self, updated: Callable[[str, str | None], Awaitable[None]]) -> None:
        """Tells what changed; give it a task."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._look, updated)
            while True:
                await self._relay.changed.wait()
                self._relay.changed = anyio.Event()
                uris, self._relay.updated = self._relay.updated, []
                for uri, owner in dict.fromkeys(uris):
                    await updated(uri, owner)

    async def _look(self, updated: Callable[[str, str | None], Awaitable[None]]) -> None:
        while True:
            await anyio.sleep(LOOK_EVERY)
            for uri, (path, before) in list(self._files.items()):
                now = await anyio.to_thread.run_sync(_state, path)
                if now != before:
                    self._files[uri] = (path, now)
                    await updated(uri, None)

    async def _subscribe(self, app: App, principal: Principal, server: str, uri: str) -> None:
        try:
            await subscribe(await ready_connection(app, principal, server), uri, app.settings.mcp.list_timeout)
        except (RpcError, ServerGoneError, TimedOutError):
            return  # a server without subscriptions: the client reads again when it wants to


def _state(path: Path) -> object:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
