"""MewCode: an AI coding agent whose tools are open (any MCP server) and under control (one gate for every call)."""

__version__ = "0.1.0"
