"""An MCP server's tool as one of MewCode's: found, judged and called like a built-in one."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, cast

from mewcode.calls import Access, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.mcp.schemas import portable
from mewcode.mcp.tool_definition import ToolDefinition
from mewcode.tools import Tool

Execute: TypeAlias = Callable[[ToolDefinition, ToolCall], Awaitable[ToolResult]]


class MCPToolWrapper(Tool):
    """`parameters` is the server's own schema, for validation; `model_parameters` the portable copy.

    `longest` is the hard limit of a call in seconds: the idle deadline within it is kept by whoever executes.
    """

    def __init__(
        self,
        name: str,
        server: str,
        definition: ToolDefinition,
        execute: Execute,
        *,
        longest: float,
        deferred: bool = True,
        owner: str | None = None,
        listed_name: str | None = None,
    ) -> None:
        self.name = name
        self.server = server
        self.owner = owner
        self._listed_name = listed_name or name
        self.definition = definition
        self.description = definition.description
        self.title = definition.title
        self.parameters = definition.input_schema
        self.output_schema = definition.output_schema
        self.effects = definition.effects
        self.deferred = deferred
        self.main_argument = _main_argument(definition.input_schema)
        self._execute = execute
        self._longest = longest
        self._portable: Mapping[str, Json] | None = None

    @property
    def listed_name(self) -> str:
        return self._listed_name

    @property
    def original_name(self) -> str:
        return self.definition.name

    @property
    def model_parameters(self) -> Mapping[str, Json]:
        """Derived when a model first wants it: most tools never get that far."""
        if self._portable is None:
            self._portable = portable(self.definition.input_schema)
        return self._portable

    def definition_fingerprint(self) -> str:
        return self.definition.fingerprint

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        """URLs, and paths that can only mean this machine; a relative path may be one of a remote repository."""
        access = Access.WRITE if self.effects.writes else Access.READ
        return tuple(subject for value in _texts(arguments) if (subject := _subject(value, access)))

    def deadline(self, arguments: Mapping[str, Json]) -> float:
        return self._longest

    async def execute(self, call: ToolCall) -> ToolResult:
        return await self._execute(self.definition, call)


def _subject(value: str, access: Access) -> Subject | None:
    if len(value) > 4096 or "\n" in value:
        return None
    if value.startswith(("http://", "https://")):
        return Subject(SubjectKind.URL, value, Access.SEND)
    if value.startswith("file://"):
        return Subject(SubjectKind.PATH, value.removeprefix("file://"), access)
    if value.startswith(("/", "~/", "../")) and len(value) > 1 and not value.startswith("//"):
        return Subject(SubjectKind.PATH, value, access)
    return None


def _texts(value: Json, depth: int = 0) -> list[str]:
    if isinstance(value, str):
        return [value]
    if depth > 4:
        return []
    if isinstance(value, Mapping):
        return [text for item in cast("Mapping[str, Json]", value).values() for text in _texts(item, depth + 1)]
    if isinstance(value, list):
        return [text for item in cast("list[Json]", value) for text in _texts(item, depth + 1)]
    return []


def _main_argument(schema: Mapping[str, Json]) -> str | None:
    """The argument that a rule's bare pattern means: the only one, or the only required one."""
    properties = schema.get("properties")
    names = list(cast("Mapping[str, Json]", properties)) if isinstance(properties, Mapping) else []
    required = schema.get("required")
    wanted = [name for name in cast("list[Json]", required) if name in names] if isinstance(required, list) else []
    if len(wanted) == 1:
        return wanted[0]
    return names[0] if len(names) == 1 else None
