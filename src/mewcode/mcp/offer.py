"""Which of a server's tools are offered, as its entry chooses."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from mewcode.mcp.definition import ToolChoice
from mewcode.mcp.tool_definition import ToolDefinition


def offered(tools: Iterable[ToolDefinition], choice: ToolChoice) -> tuple[ToolDefinition, ...]:
    """Patterns are over the server's own names; deny wins."""
    return tuple(tool for tool in tools if matches(tool.name, choice.allow) and not matches(tool.name, choice.deny))


def matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
