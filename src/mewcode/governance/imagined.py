"""A call as somebody writes it down: for `policy why` and `policy test`, without connecting to any server."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from mewcode.calls import Access, Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.errors import UsageError
from mewcode.governance.rules.name import EXACT
from mewcode.governance.rules.pairs import parse_pairs
from mewcode.governance.rules.parse import split_rule
from mewcode.governance.rules.problem import RuleError
from mewcode.tools import Tool

_READABLE = "mcp_"
MAIN = "(main)"


class ImaginedTool(Tool):
    """A tool of a configured server, of which nothing is known but its name: it is taken for one that acts."""

    description = ""
    effects = Effects(reads=True, writes=True, network=True)
    main_argument = MAIN

    def __init__(self, server: str, original: str, arguments: Mapping[str, Json]) -> None:
        self.server = server
        self.name = f"{_READABLE}{server}_{original}"
        self.parameters = {"type": "object", "properties": dict.fromkeys(arguments, True)}
        self._original = original

    @property
    def original_name(self) -> str:
        return self._original

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        urls = [
            text for text in arguments.values() if isinstance(text, str) and text.startswith(("http://", "https://"))
        ]
        return tuple(Subject(SubjectKind.URL, url, Access.SEND) for url in urls)

    async def execute(self, call: ToolCall) -> ToolResult:
        raise AssertionError("an imagined tool is never run")


def read_call(
    text: str, tools: Iterable[Tool], servers: Iterable[str], arguments: str | None = None
) -> tuple[Tool, Mapping[str, Json]] | None:
    """The tool and the arguments that `text` (`tool(…)`) and `arguments` (a JSON object) mean; None where there is no
    such tool. Raises UsageError for a text that is no call."""
    try:
        name, inside = split_rule(text) if not text.rstrip().endswith("()") else (text.strip()[:-2], None)
    except RuleError as error:
        raise UsageError("governance.call_unreadable", text=text, why=error) from error
    given = _json(text, arguments) if arguments is not None else None
    builtin = next((tool for tool in tools if tool.name == name), None)
    if builtin is not None:
        return builtin, given if given is not None else _arguments(inside, builtin)
    values = given if given is not None else _loose_arguments(inside)
    remote = _server_and_tool(name, servers)
    return None if remote is None else (ImaginedTool(*remote, values), values)


def _server_and_tool(name: str, servers: Iterable[str]) -> tuple[str, str] | None:
    if name.startswith(EXACT):
        server, _, tool = name[len(EXACT) :].partition("/")
        return (server, tool) if server in servers else None
    fitting = [server for server in servers if name.startswith(f"{_READABLE}{server}_")]
    server = max(fitting, key=len, default=None)
    return None if server is None else (server, name[len(f"{_READABLE}{server}_") :])


def _arguments(inside: str | None, tool: Tool) -> Mapping[str, Json]:
    if inside is None:
        return {}
    pairs = parse_pairs(inside)
    declared = cast("Mapping[str, Json]", tool.parameters.get("properties", {}))
    if pairs is not None and all(key in declared for key, _ in pairs.entries):
        return {key: pattern.text for key, pattern in pairs.entries}
    return {tool.main_argument: inside} if tool.main_argument else {}


def _loose_arguments(inside: str | None) -> Mapping[str, Json]:
    if inside is None:
        return {}
    pairs = parse_pairs(inside)
    return {MAIN: inside} if pairs is None else {key: pattern.text for key, pattern in pairs.entries}


def _json(text: str, arguments: str) -> Mapping[str, Json]:
    try:
        value: Any = json.loads(arguments)
    except ValueError as error:
        raise UsageError("governance.call_unreadable", text=text, why=error) from error
    if not isinstance(value, dict):
        raise UsageError("governance.call_unreadable", text=text, why="--args is no JSON object")
    return cast("dict[str, Json]", value)
