"""The MCP server and gateway door."""
