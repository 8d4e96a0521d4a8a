"""Subscriptions to resources: files of the workspaces are looked at, upstream servers are subscribed to, as long as a
client follows them."""

import contextlib
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import anyio
import anyio.to_thread
import mcp_types as t
from mcp.shared.exceptions import MCPError

from mewcode.app.house import App
from mewcode.calls import Effect, Principal
from mewcode.governance.request import Request
from mewcode.mcp.errors import RpcError, ServerGoneError, TimedOutError
from mewcode.mcp.resources import subscribe, unsubscribe
from mewcode.server.gateway.relay import Relay
from mewcode.server.gateway.resources import READ_UPSTREAM, Resources

LOOK_EVERY = 1.0
"""Seconds between two looks at files."""

Updated = Callable[[str, str | None], Awaitable[None]]
Followed = Callable[[], Iterable[tuple[str, str]]]
"""URIs that clients follow now, each with the name of a principal that does."""


class Watching:
    """`followed` is set by whoever knows the clients."""

    def __init__(self, resources: Resources, relay: Relay) -> None:
        self._resources = resources
        self._relay = relay
        self._files: dict[str, tuple[Path, object]] = {}
        self._remote: dict[tuple[str, str, str | None], App] = {}
        """By server, URI and owner of the connection; with the house in which it was subscribed to."""
        self._current: App | None = None
        self.followed: Followed = lambda: ()

    @property
    def watched(self) -> int:
        return len(self._files) + len(self._remote)

    def move_to(self, app: App) -> None:
        """This house serves from now on: what was subscribed to is to be so here."""
        self._current = app

    async def watch(self, app: App, principal: Principal, uri: str) -> None:
        """Raises MCPError for what this principal may not read. Whoever calls this follows the URI already."""
        target = await self._resources.target(app, principal, uri)
        if target is None:
            raise MCPError(t.INVALID_PARAMS, "Resource not found", {"uri": uri[:500]})
        tool, arguments = target
        if tool == READ_UPSTREAM:
            server = arguments["server"]
            owner = principal.name if app.servers.is_owned(server) else None
            await self._subscribe(app, server, uri, owner)
            return
        found = app.registry.get(tool)
        roots = app.options.roots(principal) if app.options.roots else (app.workspace,)
        if found is None or app.policy.judge(Request(found, arguments, principal, roots)).effect is Effect.DENY:
            raise MCPError(t.INVALID_PARAMS, "Resource not found", {"uri": uri[:500]})
        path = Path(arguments["path"])
        self._files.setdefault(uri, (path, _state(path)))

    async def run(self, updated: Updated) -> None:
        """Tells what changed; give it a task."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._look, updated)
            while True:
                await self._relay.changed.wait()
                self._relay.changed = anyio.Event()
                uris, self._relay.updated = self._relay.updated, []
                for uri, owner in dict.fromkeys(uris):
                    await updated(uri, owner)

    async def _look(self, updated: Updated) -> None:
        while True:
            await anyio.sleep(LOOK_EVERY)
            await self._let_go()
            for uri, (path, before) in list(self._files.items()):
                now = await anyio.to_thread.run_sync(_state, path)
                if now != before:
                    self._files[uri] = (path, now)
                    await updated(uri, None)

    async def _let_go(self) -> None:
        """Of what nobody follows any more; what is followed moves along with the house."""
        followed = set(self.followed())
        uris = {uri for uri, _ in followed}
        self._files = {uri: seen for uri, seen in self._files.items() if uri in uris}
        for (server, uri, owner), app in list(self._remote.items()):
            if (uri not in uris) if owner is None else ((uri, owner) not in followed):
                del self._remote[server, uri, owner]
                await self._unsubscribe(app, server, uri, owner)
            elif self._current is not None and app is not self._current:
                await self._subscribe(self._current, server, uri, owner)

    async def _subscribe(self, app: App, server: str, uri: str, owner: str | None) -> None:
        self._remote[server, uri, owner] = app
        # A server without subscriptions: the client reads again when it wants to.
        with contextlib.suppress(RpcError, ServerGoneError, TimedOutError):
            reached = await app.servers.server_for(server, owner or "")
            await reached.source.wait_settled()
            await subscribe(reached.connection, uri, app.settings.mcp.list_timeout)

    async def _unsubscribe(self, app: App, server: str, uri: str, owner: str | None) -> None:
        reached = app.servers.reached(server, owner)
        if reached is None or reached.connection.session is None:
            return
        with contextlib.suppress(RpcError, ServerGoneError, TimedOutError):
            await unsubscribe(reached.connection, uri, app.settings.mcp.list_timeout)


def _state(path: Path) -> object:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
