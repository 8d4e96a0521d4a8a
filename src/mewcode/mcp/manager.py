"""All MCP servers of one MewCode: started at once in the background, their tools in the registry as they come."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import anyio
from anyio.abc import TaskGroup

from mewcode.calls import ToolCall, ToolResult
from mewcode.mcp.calling import Caller
from mewcode.mcp.catalogue import Catalogue
from mewcode.mcp.changes import changed_tools
from mewcode.mcp.connection import Connection
from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.errors import ServerGoneError
from mewcode.mcp.naming import model_names, prefix_of
from mewcode.mcp.offer import offered
from mewcode.mcp.surroundings import Surroundings
from mewcode.mcp.tool_definition import ToolDefinition
from mewcode.mcp.trust import Gatekeeper
from mewcode.mcp.wrapper import MCPToolWrapper
from mewcode.tools import ServerSource, ServerState, ToolRegistry


@dataclass
class Server:
    """One configured server with all that belongs to it."""

    definition: ServerDefinition
    source: ServerSource
    connection: Connection
    caller: Caller
    tools: tuple[ToolDefinition, ...] = ()
    running: bool = False

    @property
    def version(self) -> str | None:
        """The protocol version spoken with it last."""
        return self.connection.version


class MCPManager:
    """Keeps `registry` in step with the servers. Use it as `async with manager:`; leaving it ends every server.

    `catalogue` remembers tools between sessions; `gatekeeper` says which servers may be started.
    """

    def __init__(
        self,
        definitions: Iterable[ServerDefinition],
        registry: ToolRegistry,
        around: Surroundings,
        *,
        catalogue: Catalogue | None = None,
        gatekeeper: Gatekeeper | None = None,
    ) -> None:
        self.registry = registry
        self.around = around
        self._catalogue = catalogue
        self._gatekeeper = gatekeeper or Gatekeeper()
        self._servers: dict[str, Server] = {}
        self._tasks: TaskGroup | None = None
        for definition in definitions:
            self._servers[definition.name] = self._new(definition)

    async def __aenter__(self) -> "MCPManager":
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        for server in self._servers.values():
            self._start(server)
        return self

    async def __aexit__(self, *error: object) -> None:
        with anyio.CancelScope(shield=True):
            await self.stop()
        if self._tasks is not None:
            self._tasks.cancel_scope.cancel()
            await self._tasks.__aexit__(None, None, None)

    @property
    def servers(self) -> Mapping[str, Server]:
        return self._servers

    def connection(self, name: str) -> Connection:
        """Raises ServerGoneError for a name that is not configured."""
        if name not in self._servers:
            raise ServerGoneError("mcp.unknown_server", server=name, known=", ".join(self._servers) or "-")
        return self._servers[name].connection

    async def wait_ready(self, name: str) -> ServerState:
        """The server's state once it is no longer connecting: its own deadline ends the wait."""
        server = self._servers.get(name)
        return ServerState.OFF if server is None else await server.source.wait_settled()

    async def wait_all(self) -> None:
        """Until every server is ready or has failed for the first time."""
        for server in self._servers.values():
            await server.source.wait_settled()

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
        self.connection(name)
        server = self._servers[name]
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
        for server in self._servers.values():
            if server.definition.roots is None:
                await server.connection.roots_changed()

    async def stop(self) -> None:
        """Ends all servers at the same time and waits for them: about two seconds for the most stubborn."""
        async with anyio.create_task_group() as tasks:
            for server in self._servers.values():
                if server.running:
                    tasks.start_soon(server.connection.stop)
        await anyio.to_thread.run_sync(self.around.watchdog.close)

    def _new(self, definition: ServerDefinition) -> Server:
        source = ServerSource(definition.name, prefix_of(definition.name), transport=definition.transport)
        self.registry.sources[definition.name] = source
        known = self._catalogue.load(definition) if self._catalogue else None
        connection = Connection(definition, source, self.around, self._listed, known.era if known else None)
        server = Server(definition, source, connection, Caller(connection))
        if known is not None and definition.enabled and self._gatekeeper.allows(definition):
            self._register(server, known.tools)
        return server

    def _start(self, server: Server, *, anyway: bool = False) -> None:
        refused = self._gatekeeper.refusal(server.definition)
        if not server.definition.enabled and not anyway:
            server.source.move(ServerState.OFF)
        elif refused is not None:
            server.source.move(refused.state, refused.text)
        elif self._tasks is not None:
            server.source.move(ServerState.CONNECTING)
            server.running = True
            self._tasks.start_soon(self._run, server)

    async def _run(self, server: Server) -> None:
        try:
            await server.connection.run()
        finally:
            server.running = False
            server.connection = self._renewed(server)
            server.caller = Caller(server.connection)

    def _renewed(self, server: Server) -> Connection:
        """A connection ends for good; the next start gets a new one."""
        era = server.connection.known_era
        return Connection(server.definition, server.source, self.around, self._listed, era)

    def _listed(self, connection: Connection, tools: list[ToolDefinition]) -> None:
        server = self._servers[connection.definition.name]
        changed = changed_tools(server.tools, tools)
        if changed:
            self.around.ports.observer.definition_changed(server.definition.name, changed)
        self._register(server, tools)
        if self._catalogue is not None:
            self._catalogue.save(server.definition, connection.known_era, tools)

    def _register(self, server: Server, tools: Iterable[ToolDefinition]) -> None:
        """Puts the tools into the registry; an unchanged tool keeps its instance and its place."""
        server.tools = tuple(tools)
        chosen = offered(server.tools, server.definition.tools)
        name = server.definition.name
        others = {tool.name for tool in self.registry if tool.server != name}
        names = model_names(name, (tool.name for tool in chosen), others)
        old = {tool.name: tool for tool in self.registry.of_server(name) if isinstance(tool, MCPToolWrapper)}
        self.registry.replace_server(name, [self._wrapped(server, names[t.name], t, old) for t in chosen])

    def _wrapped(
        self, server: Server, name: str, tool: ToolDefinition, old: Mapping[str, MCPToolWrapper]
    ) -> MCPToolWrapper:
        before = old.get(name)
        if before is not None and before.definition.wire == tool.wire:
            return before
        definition = server.definition

        async def execute(tool: ToolDefinition, call: ToolCall) -> ToolResult:
            return await server.caller.execute(tool, call)

        return MCPToolWrapper(
            name,
            definition.name,
            tool,
            execute,
            longest=max(definition.longest_call, definition.timeout),
            deferred=not definition.always_loads(tool.name),
        )
