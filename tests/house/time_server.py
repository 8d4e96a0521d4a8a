"""Stands in for `uvx mcp-server-time`: the pages call its tool, and the tests have no network."""

from mcp.server import MCPServer

server = MCPServer("time")


@server.tool()
def get_current_time(timezone: str) -> str:
    """Get current time in a specific timezone."""
    return f"noon in {timezone}"


server.run()
