"""All MCP servers of one MewCode: started at once in the background, their tools in the registry as they come."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup

from mewcode.calls import ErrorKind, ToolCall, ToolResult
from mewcode.mcp.catalogue import Catalogue
from mewcode.mcp.changes import changed_tools
from mewcode.mcp.definition import Era, ServerDefinition
from mewcode.mcp.errors import ServerGoneError
from mewcode.mcp.naming import model_names, owned_name, prefix_of
from mewcode.mcp.offer import offered
from mewcode.mcp.partitions import Partitions
from mewcode.mcp.principals import PrincipalRules
from mewcode.mcp.surroundings import Surroundings
from mewcode.mcp.tool_definition import ToolDefinition
from mewcode.mcp.trust import Gatekeeper
from mewcode.tools import ServerSource, ServerState, ToolRegistry

if TYPE_CHECKING:
    from mewcode.mcp.connection import Connection
    from mewcode.mcp.server import Server
    from mewcode.mcp.wrapper import MCPToolWrapper


class MCPManager:
    """Keeps `registry` in step with the servers. Use it as `async with manager:`; leaving it ends every server.

    `catalogue` remembers tools between sessions; `gatekeeper` says which servers may be started. With `principals` each
    principal has a connection of its own to the servers that are marked so; without, there is one for everybody.
    """

    def __init__(
        self,
        definitions: Iterable[ServerDefinition],
        registry: ToolRegistry,
        around: Surroundings,
        *,
        catalogue: Catalogue | None = None,
        gatekeeper: Gatekeeper | None = None,
        principals: PrincipalRules | None = None,
    ) -> None:
        self.registry = registry
        self.around = around
        self._catalogue = catalogue
        self._gatekeeper = gatekeeper or Gatekeeper()
        self._servers: dict[str, Server] = {}
        self._tasks: TaskGroup | None = None
        self._principals = principals is not None
        self._partitions = Partitions(principals or PrincipalRules(), self._new, self._start, self._drop)
        for definition in definitions:
            self._servers[definition.name] = self._new(definition)

    async def __aenter__(self) -> "MCPManager":
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        for server in self._servers.values():
            self._start(server)
        if any(self.is_owned(name) for name in self._servers):
            self._tasks.start_soon(self._partitions.sweep)
        return self

    async def __aexit__(self, *error: object) -> None:
        with anyio.CancelScope(shield=True):
            await self.stop()
        if self._tasks is not None:
            self._tasks.cancel_scope.cancel()
            await self._tasks.__aexit__(None, None, None)

    @property
    def servers(self) -> "Mapping[str, Server]":
        return self._servers

    def connection(self, name: str) -> "Connection":
        """Raises ServerGoneError for a name that is not configured."""
        return self._named(name).connection

    def is_owned(self, name: str) -> bool:
        """Whether each principal has a connection of its own to this server."""
        return self._principals and self._servers[name].definition.credentials == "principal"

    async def server_for(self, name: str, principal: str) -> "Server":
        """The server as this principal reaches it; its own connection is opened where it has one.

        Raises ServerGoneError for a name that is not configured, and where too many connections are in use.
        """
        server = self._named(name)
        if not self.is_owned(name) or server.source.state is not ServerState.READY:
            return server
        return await self._partitions.open(server.definition, principal)

    def reached(self, name: str, owner: str | None) -> "Server | None":
        """The server, or the connection of one principal to it, if it is there; nothing is opened."""
        return self._servers.get(name) if owner is None else self._partitions.known(name, owner)

    async def meet(self, name: str, principal: str, patience: float = math.inf) -> None:
        """Learns what a server has for this principal, the first time that it is asked for. Nobody waits for one that
        has been connecting for `patience` seconds."""
        known = self._partitions.known(name, principal)
        if known is None or not known.tools:
            known = await self.server_for(name, principal)
        await known.source.wait_settled(patience)

    async def wait_ready(self, name: str) -> ServerState:
        """The server's state once it is no longer connecting: its own deadline ends the wait."""
        server = self._servers.get(name)
        return ServerState.OFF if server is None else await server.source.wait_settled()

    async def wait_all(self, patience: float = math.inf) -> None:
        """Until every server is ready or has failed for the first time, or has been connecting for `patience`
        seconds."""
        for server in self._servers.values():
            await server.source.wait_settled(patience)

    def reconnect(self, name: str) -> None:
        """Tries at once: also a server that has failed, needs a login, or was switched off."""
        connection = self.connection(name)
        server = self._servers[name]
        if server.running:
            connection.reconnect()
        else:
            self._start(server, anyway=True)

    async def disable(self, name: str) -> None:
        """Ends a server; its tools leave the registry."""
        server = self._named(name)
        await self._partitions.close(name)
        if server.running:
            await server.connection.stop()
        server.source.move(ServerState.OFF)
        self.registry.replace_server(name, ())

    async def add(self, definition: ServerDefinition) -> None:
        """Adds a server, or replaces the one of that name, while MewCode runs."""
        if definition.name in self._servers:
            await self.disable(definition.name)
        self._servers[definition.name] = self._new(definition)
        self._start(self._servers[definition.name])

    async def roots_changed(self) -> None:
        """Tells every server that has roots from the workspace that these are others now."""
        for server in self._all():
            if server.definition.roots is None:
                await server.connection.roots_changed()

    async def stop(self) -> None:
        """Ends all servers at the same time and waits for them: about two seconds for the most stubborn."""
        async with anyio.create_task_group() as tasks:
            for server in self._all():
                if server.running:
                    tasks.start_soon(server.connection.stop)
        await anyio.to_thread.run_sync(self.around.watchdog.close)

    def _named(self, name: str) -> "Server":
        if name not in self._servers:
            raise ServerGoneError("mcp.unknown_server", server=name, known=", ".join(self._servers) or "-")
        return self._servers[name]

    def _all(self) -> "Iterable[Server]":
        return [*self._servers.values(), *self._partitions.servers]

    def _new(self, definition: ServerDefinition) -> "Server":
        from mewcode.mcp.server import Server  # not before there is a server: half of this package hangs on it

        name, principal = definition.name, definition.principal
        source = ServerSource(name, prefix_of(name), transport=definition.transport)
        if principal is None:
            self.registry.sources[name] = source
        else:
            self.registry.owned[name, principal] = source
        shared = principal is None and self._principals and definition.credentials == "principal"
        known = self._catalogue.load(definition) if self._catalogue and not shared else None
        connection = self._connection(definition, source, known.era if known else None)
        server = Server(definition, source, connection)
        source.move(ServerState.STOPPED if principal else ServerState.CONNECTING)
        if known is not None and definition.enabled and self._gatekeeper.allows(definition):
            self._register(server, known.tools)
        return server

    def _start(self, server: "Server", *, anyway: bool = False) -> None:
        refused = self._gatekeeper.refusal(server.definition)
        if not server.definition.enabled and not anyway:
            server.source.move(ServerState.OFF)
        elif refused is not None:
            server.source.move(refused.state, refused.text)
        elif server.definition.principal is None and self.is_owned(server.definition.name):
            server.source.move(ServerState.READY)  # each principal's connection has a state of its own
        elif self._tasks is not None:
            server.source.move(ServerState.CONNECTING)
            server.running, server.ended = True, anyio.Event()
            self._tasks.start_soon(self._run, server)

    async def _run(self, server: "Server") -> None:
        try:
            await server.connection.run()
        finally:
            server.running = False
            server.use(self._connection(server.definition, server.source, server.connection.known_era))
            server.ended.set()

    def _connection(self, definition: ServerDefinition, source: ServerSource, era: Era | None) -> "Connection":
        from mewcode.mcp.connection import Connection

        return Connection(definition, source, self._around(definition), self._listed, era)

    def _around(self, definition: ServerDefinition) -> Surroundings:
        if definition.principal is None:
            return self.around
        return replace(self.around, ports=self.around.ports.of(definition.principal))

    def _drop(self, server: "Server") -> None:
        """A principal's tools are forgotten."""
        name, principal = server.definition.name, server.definition.principal
        self.registry.owned.pop((name, principal or ""), None)
        self.registry.replace_server(name, (), principal)

    def _listed(self, connection: "Connection", tools: list[ToolDefinition]) -> None:
        definition = connection.definition
        server = self.reached(definition.name, definition.principal)
        if server is None:
            return  # what one principal's connection knew was forgotten meanwhile, and is nobody else's
        changed = changed_tools(server.tools, tools)
        if changed:
            self._around(definition).ports.observer.definition_changed(definition.name, changed)
        self._register(server, tools)
        if self._catalogue is not None:
            self._catalogue.save(server.definition, connection.known_era, tools)

    def _register(self, server: "Server", tools: Iterable[ToolDefinition]) -> None:
        """Puts the tools into the registry; an unchanged tool keeps its instance and its place."""
        from mewcode.mcp.wrapper import MCPToolWrapper

        server.tools = tuple(tools)
        chosen = offered(server.tools, server.definition.tools)
        name, owner = server.definition.name, server.definition.principal
        others = {tool.name for tool in self.registry if tool.server != name}
        names = model_names(name, (tool.name for tool in chosen), others)
        old = {tool.name: tool for tool in self.registry.of_server(name) if isinstance(tool, MCPToolWrapper)}
        self.registry.replace_server(name, [self._wrapped(server, names[t.name], t, old) for t in chosen], owner)

    def _wrapped(
        self, server: "Server", listed: str, tool: ToolDefinition, old: "Mapping[str, MCPToolWrapper]"
    ) -> "MCPToolWrapper":
        from mewcode.mcp.wrapper import MCPToolWrapper

        owner = server.definition.principal
        name = listed if owner is None else owned_name(server.definition.name, tool.name, owner)
        before = old.get(name)
        if before is not None and before.definition.wire == tool.wire:
            return before
        definition = server.definition

        async def execute(tool: ToolDefinition, call: ToolCall) -> ToolResult:
            if owner is None:
                return await server.caller.execute(tool, call)
            if call.principal.name != owner:
                raise AssertionError(f"{tool.name} of another principal got past the gate")
            try:
                async with self._partitions.using(server.definition, owner) as reached:
                    return await reached.caller.execute(tool, call)
            except ServerGoneError as error:
                return ToolResult.failed(ErrorKind.SERVER_MISSING, str(error), server=server.definition.name)

        return MCPToolWrapper(
            name,
            definition.name,
            tool,
            execute,
            longest=max(definition.longest_call, definition.timeout),
            deferred=not definition.always_loads(tool.name),
            owner=owner,
            listed_name=listed,
        )
