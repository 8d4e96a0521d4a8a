"""Small real tools for tests of the gate: they do what they say, and keep a list of what they did."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from mewcode.calls import Access, Effects, Json, Origin, Subject, SubjectKind, ToolCall, ToolResult, Trust
from mewcode.tools import Tool

TEXT = {"type": "string"}
FAR_AWAY = Effects(network=True)


class ReadFile(Tool):
    name = "read_file"
    description = "Reads a file."
    parameters: Mapping[str, Json] = {"type": "object", "properties": {"path": TEXT}, "required": ["path"]}
    effects = Effects(reads=True)
    main_argument = "path"

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        return (Subject(SubjectKind.PATH, arguments["path"], Access.READ),) if "path" in arguments else ()

    async def execute(self, call: ToolCall) -> ToolResult:
        self.calls.append(call)
        text = (call.scope.roots[0] / call.arguments["path"]).read_text()
        return ToolResult.of_text(text, trust=Trust.WORKSPACE, origin=Origin(self.name, None, call.arguments["path"]))


class WriteFile(Tool):
    name = "write_file"
    description = "Writes a file."
    parameters: Mapping[str, Json] = {
        "type": "object",
        "properties": {"path": TEXT, "content": TEXT},
        "required": ["path", "content"],
        "additionalProperties": False,
    }
    effects = Effects(writes=True)
    main_argument = "path"

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        return (Subject(SubjectKind.PATH, arguments["path"], Access.WRITE),) if "path" in arguments else ()

    async def execute(self, call: ToolCall) -> ToolResult:
        self.calls.append(call)
        path: Path = call.scope.roots[0] / call.arguments["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(call.arguments["content"])
        return ToolResult.of_text("written")


class RunCommand(Tool):
    name = "run_command"
    description = "Runs a command."
    parameters: Mapping[str, Json] = {
        "type": "object",
        "properties": {"command": TEXT, "cwd": TEXT, "timeout": {"type": "number"}, "job": TEXT, "action": TEXT},
    }
    effects = Effects(reads=True, writes=True, executes=True, network=True)
    main_argument = "command"

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        return (Subject(SubjectKind.COMMAND, arguments["command"], Access.EXECUTE),) if arguments.get("command") else ()

    async def execute(self, call: ToolCall) -> ToolResult:
        import subprocess

        self.calls.append(call)
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", call.arguments["command"]],
            cwd=call.scope.roots[0],
            capture_output=True,
            text=True,
            timeout=20,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return ToolResult.of_text(ran.stdout + ran.stderr, trust=Trust.WORKSPACE, is_error=ran.returncode != 0)


class RemoteTool(Tool):
    """A tool of an MCP server, whose work is whatever a test gives it."""

    description = "Does something far away."
    deferred = False

    def __init__(
        self,
        server: str,
        original: str,
        work: Callable[[ToolCall], Awaitable[ToolResult]] | None = None,
        parameters: Mapping[str, Json] | None = None,
        effects: Effects = FAR_AWAY,
        **more: Any,
    ) -> None:
        self.server = server
        self.name = f"mcp_{server}_{original}"
        self.parameters = parameters or {"type": "object"}
        self.effects = effects
        self.calls: list[ToolCall] = []
        self._original = original
        self._work = work
        for key, value in more.items():
            setattr(self, key, value)

    @property
    def original_name(self) -> str:
        return self._original

    async def execute(self, call: ToolCall) -> ToolResult:
        self.calls.append(call)
        if self._work is not None:
            return await self._work(call)
        return ToolResult.of_text("done", trust=Trust.EXTERNAL, origin=Origin(self._original, self.server))


class ReadResource(Tool):
    """Over all servers: told which one to ask."""

    name = "read_resource"
    description = "Reads a resource."
    parameters: Mapping[str, Json] = {"type": "object", "properties": {"server": TEXT, "uri": TEXT}}
    effects = Effects(reads=True, network=True)
    main_argument = "uri"

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        return (Subject(SubjectKind.URL, arguments["uri"], Access.READ),)

    def server_of(self, arguments: Mapping[str, Json]) -> str | None:
        return arguments["server"]

    async def execute(self, call: ToolCall) -> ToolResult:
        origin = Origin(self.name, call.arguments["server"], call.arguments["uri"])
        return ToolResult.of_text("content", trust=Trust.EXTERNAL, origin=origin)
