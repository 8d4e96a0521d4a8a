"""The connections of principals to servers with `credentials: principal`: one each, opened when it is first needed,
closed when nobody used it for a while. What one principal's connection knows, no other gets."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.errors import ServerGoneError
from mewcode.mcp.principals import PrincipalRules
from mewcode.tools import ServerState

if TYPE_CHECKING:
    from mewcode.mcp.server import Server

MOST_REMEMBERED = 8
"""Closed connections whose tools are still known, for each one that may be open."""
TRY_AGAIN_AFTER = 30.0
"""Seconds after which a connection that was refused is tried again when it is wanted: somebody may have logged in."""
_REFUSED = (ServerState.NEEDS_AUTH, ServerState.FAILED)


@dataclass
class Partition:
    """`users` are calls in flight; `used_at` is the loop's time of the last use."""

    server: "Server"
    used_at: float
    users: int = 0
    tried_at: float = 0.0
    ending: anyio.Event | None = None


class Partitions:
    """`make` builds a server of one principal, `start` starts it, `drop` takes its tools away."""

    def __init__(
        self,
        rules: PrincipalRules,
        make: "Callable[[ServerDefinition], Server]",
        start: "Callable[[Server], None]",
        drop: "Callable[[Server], None]",
    ) -> None:
        self._rules = rules
        self._make = make
        self._start = start
        self._drop = drop
        self._parts: dict[tuple[str, str], Partition] = {}
        self._starting = anyio.Lock()

    @property
    def servers(self) -> "Iterable[Server]":
        return tuple(part.server for part in self._parts.values())

    def known(self, server: str, principal: str) -> "Server | None":
        part = self._parts.get((server, principal))
        return None if part is None else part.server

    async def open(self, definition: ServerDefinition, principal: str) -> "Server":
        """The principal's connection, started where it was not. Raises ServerGoneError when all others are in use."""
        part = await self._part(definition, principal)
        return part.server

    @asynccontextmanager
    async def using(self, base: ServerDefinition, owner: str) -> "AsyncGenerator[Server, None]":
        """The owner's connection, for a call: it is not closed under it. Raises ServerGoneError as `open` does."""
        part = await self._part(base, owner)
        part.users += 1
        try:
            yield part.server
        finally:
            part.users -= 1
            part.used_at = anyio.current_time()

    async def close(self, name: str) -> None:
        """Ends all connections to a server, and forgets what they knew."""
        for part in self._of(name):
            if part.server.running:
                await self._end(part)
            del self._parts[name, part.server.definition.principal or ""]
            self._drop(part.server)

    async def sweep(self) -> None:
        """Closes what is idle; give it a task."""
        while True:
            await anyio.sleep(min(30.0, self._rules.idle_after / 4))
            oldest = anyio.current_time() - self._rules.idle_after
            for part in tuple(self._parts.values()):
                if part.server.source.state is ServerState.CONNECTING:
                    part.used_at = anyio.current_time()  # somebody waits for it
                if part.server.running and part.users == 0 and part.used_at < oldest:
                    await self._end(part)

    async def _part(self, definition: ServerDefinition, principal: str) -> Partition:
        key = (definition.name, principal)
        part = self._parts.get(key)
        if part is None:
            server = self._make(self._rules.definition(definition, principal))
            part = self._parts[key] = Partition(server, anyio.current_time())
            self._forget_oldest(definition.name)
        part.used_at = anyio.current_time()
        if part.ending is not None:
            await part.ending.wait()
        if not part.server.running:
            await self._begin(definition.name, part)
        elif part.server.source.state in _REFUSED and part.used_at - part.tried_at > TRY_AGAIN_AFTER:
            part.tried_at = part.used_at
            part.server.connection.reconnect()
        return part

    async def _begin(self, name: str, part: Partition) -> None:
        async with self._starting:
            if part.server.running:
                return
            await self._make_room(name, part)
            part.tried_at = anyio.current_time()
            self._start(part.server)

    async def _make_room(self, name: str, wanted: Partition) -> None:
        """Ends the connection that was used longest ago, where there are too many."""
        running = [part for part in self._of(name) if part.server.running and part is not wanted]
        if len(running) < self._rules.most_open:
            return
        free = [part for part in running if part.users == 0 and part.ending is None]
        if not free:
            raise ServerGoneError("mcp.too_many_principals", server=name, most=self._rules.most_open)
        await self._end(min(free, key=lambda part: part.used_at))

    async def _end(self, part: Partition) -> None:
        if part.ending is not None:
            return
        part.ending = anyio.Event()
        try:
            await part.server.connection.stop()
            await part.server.ended.wait()
        finally:
            ending, part.ending = part.ending, None
            ending.set()

    def _forget_oldest(self, name: str) -> None:
        """What is closed stays known for its owner's next call, within bounds."""
        closed = [part for part in self._of(name) if not part.server.running and part.ending is None]
        for part in sorted(closed, key=lambda part: part.used_at)[: -MOST_REMEMBERED * self._rules.most_open]:
            definition = part.server.definition
            del self._parts[definition.name, definition.principal or ""]
            self._drop(part.server)

    def _of(self, name: str) -> list[Partition]:
        return [part for (server, _), part in self._parts.items() if server == name]
