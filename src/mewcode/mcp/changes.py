"""Notices when a tool that was known, and perhaps allowed, is no longer what it was ("rug pull")."""

from collections.abc import Iterable

from mewcode.mcp.tool_definition import ToolDefinition


def changed_tools(before: Iterable[ToolDefinition], after: Iterable[ToolDefinition]) -> tuple[str, ...]:
    """Names of tools in both whose description, schema or annotations differ."""
    known = {tool.name: tool for tool in before}
    return tuple(
        tool.name
        for tool in after
        if (old := known.get(tool.name)) and old.wire != tool.wire and old.fingerprint != tool.fingerprint
    )
