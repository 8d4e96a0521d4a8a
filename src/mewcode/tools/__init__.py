"""What a tool is, and the one registry that holds them all: built-in and MCP tools alike."""

from mewcode.tools.base import Tool
from mewcode.tools.registry import ToolRegistry, View
from mewcode.tools.sources import ServerSource, ServerState

__all__ = ["ServerSource", "ServerState", "Tool", "ToolRegistry", "View"]
