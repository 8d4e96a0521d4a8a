"""Tells clients of both eras that lists or resources have changed: each what is there for its own principal."""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mewcode.app.house import App
from mewcode.calls import Principal

PAUSE = 0.1
"""Seconds in which several changes become one message."""
PATIENCE = 5.0
"""Seconds that an old-era client gets to take a notification, so that one that does not read holds up no other."""

_listener: ContextVar[Principal] = ContextVar("mewcode_listener")


@dataclass
class Buses:
    """The SDK's bus in parts: one for each principal that listens, there while it does."""

    _buses: dict[Principal, InMemorySubscriptionBus] = field(default_factory=dict[Principal, InMemorySubscriptionBus])
    _open: dict[Principal, int] = field(default_factory=dict[Principal, int])

    @property
    def principals(self) -> tuple[Principal, ...]:
        return tuple(self._buses)

    def streams(self, principal: Principal) -> int:
        return self._open.get(principal, 0)

    @contextmanager
    def listening(self, principal: Principal) -> Generator[None, None, None]:
        """Who subscribes in here does so as this principal."""
        self._open[principal] = self._open.get(principal, 0) + 1
        token = _listener.set(principal)
        try:
            yield
        finally:
            _listener.reset(token)
            self._open[principal] -= 1
            if not self._open[principal]:
                del self._open[principal]
                self._buses.pop(principal, None)

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Called by the SDK's handler, within `listening`."""
        return self._buses.setdefault(_listener.get(), InMemorySubscriptionBus()).subscribe(listener)

    async def publish(self, event: ServerEvent) -> None:
        for principal in self.principals:
            await self.publish_to(principal, event)

    async def publish_to(self, principal: Principal, event: ServerEvent) -> None:
        if (bus := self._buses.get(principal)) is not None:
            await bus.publish(event)


@dataclass
class Follower:
    """An open connection of the old era."""

    session: ServerSession
    principal: Principal
    uris: set[str] = field(default_factory=set[str])


class Changes:
    """`who` is the principal of the current request, `sees` what a principal is offered: equal as long as that has not
    changed. `left` is told of each old-era connection over HTTP that ended. New-era clients listen on `buses`."""

    def __init__(self) -> None:
        self.buses = Buses()
        self.who: Callable[[], Principal] | None = None
        self.sees: Callable[[Principal], object] = lambda principal: None
        self.left: Callable[[ServerRequestContext[Any, Any]], None] = lambda ctx: None
        self._followers: dict[Any, Follower] = {}
        self._told: dict[Principal, object] = {}
        self._streams: dict[object, tuple[Principal, frozenset[str]]] = {}
        self._fetchable: set[str | None] = set()
        self._changed = anyio.Event()

    @property
    def followers(self) -> int:
        """Connections of the old era that are told of changes."""
        return len(self._followers)

    def follow(self, app: App) -> None:
        """Hears of changes of this house's tools from now on."""
        app.registry.subscribe(lambda: self._changed.set())
        self.lists_changed(None)

    def lists_changed(self, owner: str | None) -> None:
        """Resources or prompts may have changed: for one principal, or for all."""
        self._fetchable.add(owner)
        self._changed.set()

    async def remember(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Middleware: an old-era connection is known from its first message to its end."""
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS and ctx.method != "initialize" and self.who is not None:
            connection, principal = connection_of(ctx), self.who()
            follower = self._followers.get(connection)
            if follower is not None:
                follower.principal = principal  # its roles may be others since
            elif connection.has_standalone_channel:
                self._followers[connection] = Follower(ctx.session, principal)
                self._told.setdefault(principal, self.sees(principal))
                connection.exit_stack.callback(self._followers.pop, connection, None)
                if ctx.request is not None:
                    connection.exit_stack.callback(copy_context().run, self.left, ctx)
        return await call_next(ctx)

    def subscribe(self, ctx: ServerRequestContext[Any, Any], uri: str, *, end: bool = False) -> None:
        """Old era only."""
        follower = self._followers.get(connection_of(ctx))
        if follower is not None:
            (follower.uris.discard if end else follower.uris.add)(uri)

    @contextmanager
    def listening(self, principal: Principal, uris: Iterable[str] = ()) -> Generator[None, None, None]:
        """While a new-era client listens, also to changes of `uris`."""
        self._told.setdefault(principal, self.sees(principal))
        stream = object()
        self._streams[stream] = (principal, frozenset(uris))
        try:
            with self.buses.listening(principal):
                yield
        finally:
            del self._streams[stream]

    def followed(self) -> list[tuple[str, str]]:
        """What clients follow now: URIs, each with the name of a principal."""
        old = [(one.principal, uri) for one in self._followers.values() for uri in one.uris]
        new = [(principal, uri) for principal, uris in self._streams.values() for uri in uris]
        return [(uri, principal.name) for principal, uri in (*old, *new)]

    def following(self, principal: Principal) -> int:
        """How much one principal follows."""
        return sum(name == principal.name for _, name in self.followed())

    async def updated(self, uri: str, owner: str | None = None) -> None:
        """A resource is no longer what it was: for `owner` alone where it came over the connection of one principal."""
        for principal in self.buses.principals:
            if owner in (None, principal.name):
                await self.buses.publish_to(principal, ResourceUpdated(uri=uri))
        for follower in list(self._followers.values()):
            if uri in follower.uris and owner in (None, follower.principal.name):
                with anyio.move_on_after(PATIENCE):
                    await follower.session.send_resource_updated(uri)

    async def run(self) -> None:
        """Passes changes on; give it a task."""
        while True:
            await self._changed.wait()
            await anyio.sleep(PAUSE)
            self._changed = anyio.Event()
            owners, self._fetchable = self._fetchable, set()
            for principal in self._listeners():
                tools = self._news(principal)
                if tools or None in owners or principal.name in owners:
                    await self._tell(principal, tools=tools)

    def _listeners(self) -> list[Principal]:
        found = dict.fromkeys([*self.buses.principals, *(one.principal for one in self._followers.values())])
        self._told = {principal: seen for principal, seen in self._told.items() if principal in found}
        return list(found)

    def _news(self, principal: Principal) -> bool:
        before, now = self._told.get(principal), self.sees(principal)
        self._told[principal] = now
        return before != now

    async def _tell(self, principal: Principal, *, tools: bool) -> None:
        events: Iterable[ServerEvent] = (PromptsListChanged(), ResourcesListChanged())
        for event in (ToolsListChanged(), *events) if tools else events:
            await self.buses.publish_to(principal, event)
        for follower in [one for one in self._followers.values() if one.principal == principal]:
            with anyio.move_on_after(PATIENCE):
                if tools:
                    await follower.session.send_tool_list_changed()
                await follower.session.send_prompt_list_changed()
                await follower.session.send_resource_list_changed()


def connection_of(ctx: ServerRequestContext[Any, Any]) -> Any:
    """The SDK has no public way to speak to an old-era client outside a request."""
    return ctx.session._connection  # pyright: ignore[reportPrivateUsage]
