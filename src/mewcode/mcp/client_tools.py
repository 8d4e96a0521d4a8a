"""Tools for the model about what servers have besides tools: resources and prompts."""

import json
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mewcode.calls import (
    Access,
    Effects,
    EmbeddedResource,
    ErrorKind,
    Json,
    Origin,
    Subject,
    SubjectKind,
    Text,
    ToolCall,
    ToolResult,
    Trust,
)
from mewcode.mcp.errors import RpcError, ServerGoneError, TimedOutError
from mewcode.mcp.prompts import get_whole, list_prompts, messages_of
from mewcode.mcp.resources import contents_of, list_resources, read_whole
from mewcode.tools import ServerState, Tool

if TYPE_CHECKING:
    from mewcode.mcp.connection import Connection
    from mewcode.mcp.manager import MCPManager

_SERVER = {"type": "string", "description": "Name of the MCP server."}


class ServerTool(Tool):
    """A tool over all servers. What goes wrong at a server is a result that says so."""

    deferred = True
    called_unseen = True
    effects = Effects(reads=True, network=True)
    main_argument = "server"

    def __init__(self, manager: "MCPManager") -> None:
        self._manager = manager

    def server_of(self, arguments: Mapping[str, Json]) -> str | None:
        server = arguments.get("server")
        return server if isinstance(server, str) else None

    def deadline(self, arguments: Mapping[str, Json]) -> float:
        return self._manager.around.list_timeout + 5

    async def execute(self, call: ToolCall) -> ToolResult:
        server = call.arguments.get("server")
        try:
            return await self.answer(call, self._manager.around.list_timeout)
        except ServerGoneError as error:
            return _failed(ErrorKind.SERVER_MISSING, str(error), server)
        except TimedOutError as error:
            return _failed(ErrorKind.TIMEOUT, f"Server {server} did not answer within {error.seconds:g} s.", server)
        except RpcError as error:
            return _failed(ErrorKind.TOOL_ERROR, f"Server {server} refused: {error}", server)

    @abstractmethod
    async def answer(self, call: ToolCall, timeout: float) -> ToolResult: ...

    async def connection(self, server: str, call: ToolCall) -> "Connection":
        return (await self._manager.server_for(server, call.principal.name)).connection


class ListResources(ServerTool):
    name = "list_resources"
    description = "Lists the resources (documents, records, files) that MCP servers offer, and templates of their URIs."
    parameters: Mapping[str, Json] = {
        "type": "object",
        "properties": {"server": {"type": "string", "description": "Only this server; all when absent."}},
    }

    async def answer(self, call: ToolCall, timeout: float) -> ToolResult:
        chosen = call.arguments.get("server")
        ready = [name for name, one in self._manager.servers.items() if one.source.state is ServerState.READY]
        rows: list[dict[str, Any]] = []
        for name in [chosen] if chosen else ready:
            found = await list_resources(await self.connection(name, call), timeout)
            rows += [{key: value for key, value in asdict(one).items() if value} for one in found]
        return _texted(json.dumps(rows, ensure_ascii=False), chosen, structured=rows)


class ReadResource(ServerTool):
    name = "read_resource"
    description = "Reads one resource of an MCP server by its URI."
    main_argument = "uri"
    parameters: Mapping[str, Json] = {
        "type": "object",
        "properties": {"server": _SERVER, "uri": {"type": "string", "description": "As list_resources shows it."}},
        "required": ["server", "uri"],
    }

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        """A `file:` URI is a path of this machine, whoever reads it."""
        uri = str(arguments.get("uri", ""))
        if uri.startswith("file://"):
            return (Subject(SubjectKind.PATH, uri.removeprefix("file://"), Access.READ),)
        return (Subject(SubjectKind.URL, uri, Access.READ),)

    async def answer(self, call: ToolCall, timeout: float) -> ToolResult:
        server, uri = call.arguments["server"], call.arguments["uri"]
        whole = await read_whole(await self.connection(server, call), uri, timeout, call.round)
        content = tuple(_shown(one) for one in contents_of(whole, uri)) or (Text("(the resource is empty)"),)
        return ToolResult(content=content, origin=Origin(self.name, server, uri), trust=Trust.EXTERNAL, wire=whole)


class GetPrompt(ServerTool):
    name = "get_prompt"
    description = "Gets a prompt that an MCP server has prepared, or lists its prompts when no name is given."
    parameters: Mapping[str, Json] = {
        "type": "object",
        "properties": {
            "server": _SERVER,
            "prompt": {"type": "string", "description": "Name of the prompt; absent: list them."},
            "arguments": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": ["server"],
    }

    async def answer(self, call: ToolCall, timeout: float) -> ToolResult:
        arguments = call.arguments
        server, prompt = arguments["server"], arguments.get("prompt")
        connection = await self.connection(server, call)
        if not prompt:
            rows = [asdict(one) for one in await list_prompts(connection, timeout)]
            return _texted(json.dumps(rows, ensure_ascii=False), server, structured=rows)
        whole = await get_whole(connection, prompt, arguments.get("arguments") or {}, timeout, call.round)
        content = tuple(block for message in messages_of(whole) for block in message.content)
        return ToolResult(content=content, origin=Origin(self.name, server, prompt), trust=Trust.EXTERNAL, wire=whole)


def client_tools(manager: "MCPManager") -> tuple[Tool, ...]:
    """The tools about resources and prompts, for the registry."""
    return (ListResources(manager), ReadResource(manager), GetPrompt(manager))


def _shown(one: EmbeddedResource) -> Text | EmbeddedResource:
    return one if one.text is None else Text(one.text)


def _texted(text: str, server: str | None, structured: Any) -> ToolResult:
    return ToolResult.of_text(text, structured=structured, origin=Origin(server=server), trust=Trust.EXTERNAL)


def _failed(kind: ErrorKind, text: str, server: str | None) -> ToolResult:
    return ToolResult.failed(kind, text, server=server, origin=Origin(server=server), trust=Trust.EXTERNAL)
