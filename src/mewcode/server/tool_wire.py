"""A tool as MCP describes it: that of an upstream server as it came, under the name it is offered by."""

from collections.abc import Mapping
from typing import Any

import mcp_types as t
from pydantic import ValidationError

from mewcode.mcp.tool_definition import well_formed
from mewcode.mcp.wrapper import MCPToolWrapper
from mewcode.tools import Tool


def wire_tool(tool: Tool, name: str, notes: str = "") -> t.Tool:
    """`notes` goes below the description of a tool of our own: what holds on this server."""
    if isinstance(tool, MCPToolWrapper):
        return _upstream(tool, name)
    description = f"{tool.description}\n{notes}" if notes else tool.description
    return t.Tool(
        name=name,
        title=tool.title,
        description=description,
        input_schema=dict(tool.parameters),
        output_schema=None if tool.output_schema is None else dict(tool.output_schema),
        annotations=_annotations(tool),
    )


def _upstream(tool: MCPToolWrapper, name: str) -> t.Tool:
    """Everything that the server said of it; what the specification does not take costs those parts only."""
    wire: Mapping[str, Any] = tool.definition.wire
    sure: dict[str, Any] = {"name": name, "inputSchema": dict(tool.parameters)}
    output = well_formed(wire.get("outputSchema"))
    if output.get("type") == "object":
        # Clients of 2025-11-25 refuse a whole list for another type; what was structured reaches them all the same.
        sure["outputSchema"] = output
    said = {key: value for key, value in wire.items() if key not in ("name", "inputSchema", "outputSchema")}
    try:
        return t.Tool.model_validate({**said, **sure}, by_name=False)
    except ValidationError:
        taken = {key: value for key, value in said.items() if _fits({key: value})}
        return t.Tool.model_validate({**taken, **sure}, by_name=False)


def _fits(part: Mapping[str, Any]) -> bool:
    try:
        t.Tool.model_validate({"name": "x", "inputSchema": {"type": "object"}, **part}, by_name=False)
    except ValidationError:
        return False
    return True


def _annotations(tool: Tool) -> t.ToolAnnotations:
    effects = tool.effects
    return t.ToolAnnotations(
        title=tool.title or tool.name.replace("_", " ").capitalize(),
        read_only_hint=effects.only_reads,
        destructive_hint=effects.writes or effects.executes or effects.destructive,
        idempotent_hint=effects.only_reads,
        open_world_hint=effects.network,
    )
