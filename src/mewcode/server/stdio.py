"""Serving one client over standard input and output."""

from mcp.server.stdio import stdio_server

from mewcode.server.front import Front


async def serve_stdio(front: Front) -> None:
    """Until the client closes its end."""
    async with stdio_server() as (read, write):
        await front.server.run(read, write, front.server.create_initialization_options())
