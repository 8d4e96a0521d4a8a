"""A server of eighty tools for benchmarks, over standard input and output, or HTTP: `eighty_tools.py [http PORT]`.

Each tool answers with what it was given and a fixed text of 1,000 characters.
"""

import sys

import anyio
import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

COUNT = 80
PADDING = "0123456789" * 100
SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "Comes back."}, "number": {"type": "integer"}},
    "required": ["text"],
}
TOOLS = [
    t.Tool(name=f"echo_{number}", description=f"Echoes, as number {number} of {COUNT}.", input_schema=SCHEMA)
    for number in range(COUNT)
]


async def list_tools(ctx: ServerRequestContext, params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
    return t.ListToolsResult(tools=TOOLS)


async def call_tool(ctx: ServerRequestContext, params: t.CallToolRequestParams) -> t.CallToolResult:
    text = f"{(params.arguments or {}).get('text')} {PADDING}"
    return t.CallToolResult(content=[t.TextContent(text=text)])


server = Server("eighty", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def speak() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    if sys.argv[1:2] == ["http"]:
        import uvicorn

        uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
    else:
        anyio.run(speak)
