"""Tools for the tests of the search: a name, a server, a description."""

from collections.abc import Iterable

from mewcode.calls import ToolCall, ToolResult
from mewcode.tools import ServerSource, ServerState, Tool, ToolRegistry


class Toy(Tool):
    deferred = True

    def __init__(self, server: str | None, tool: str, description: str = "", parameters: Iterable[str] = ()) -> None:
        self.server = server
        self.name = f"mcp_{server}_{tool}" if server else tool
        self.description = description
        self.parameters = {"type": "object", "properties": {name: {"type": "string"} for name in parameters}}
        self._original = tool

    @property
    def original_name(self) -> str:
        return self._original

    def definition_fingerprint(self) -> str:
        return self.description

    async def execute(self, call: ToolCall) -> ToolResult:
        return ToolResult()


def registry_of(*tools: Toy) -> ToolRegistry:
    registry = ToolRegistry()
    for tool in tools:
        registry.add(tool)
        if tool.server:
            source = ServerSource(tool.server, f"mcp_{tool.server}_", ServerState.READY)
            registry.sources.setdefault(tool.server, source)
    return registry


OFFICE = (
    Toy("github", "create_issue", "Opens a new issue in a repository.", ("owner", "repo", "title", "body")),
    Toy("github", "listPullRequests", "Lists pull requests of a repository.", ("owner", "repo", "state")),
    Toy("github", "search_code", "Searches source code across repositories.", ("q",)),
    Toy("weather", "get_forecast", "Weather forecast for a place.", ("latitude", "longitude")),
    Toy("weather", "get_alerts", "Severe weather warnings for a region.", ("region",)),
    Toy("maps", "geocode", "Converts an address into coordinates.", ("address",)),
    Toy("maps", "driving_route", "Directions by car from one place to another.", ("origin", "destination")),
    Toy("files", "read_document", "读取 Word 文档并返回文本。", ("path",)),
    Toy("shop", "list_orders", "Lists a customer's orders with their invoices.", ("customer_id",)),
)
