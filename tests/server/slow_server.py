"""An upstream server whose tools take their time: for tests of progress and cancellation through the gateway.

Usage: slow_server.py FOLDER
`steps` reports two steps; `wait` writes FOLDER/started, and FOLDER/cancelled when it is cancelled; `sample` asks the
client's model, in the old era.
"""

import sys
from pathlib import Path

import anyio
import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

FOLDER = Path(sys.argv[1])
OBJECT = {"type": "object", "properties": {}}


async def list_tools(context: ServerRequestContext, params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
    return t.ListToolsResult(
        tools=[t.Tool(name=name, input_schema=OBJECT) for name in ("steps", "wait", "sample", "trace")]
    )


async def call_tool(context: ServerRequestContext, params: t.CallToolRequestParams) -> t.CallToolResult:
    text = "done"
    if params.name == "steps":
        for step in (1, 2):
            await context.session.report_progress(step, 2, f"step {step}")
    elif params.name == "wait":
        await wait()
    elif params.name == "trace":
        text = str((context.meta or {}).get("traceparent"))
    elif params.name == "sample":
        text = await sample(context)
    return t.CallToolResult(content=[t.TextContent(text=text)])


async def wait() -> None:
    (FOLDER / "started").touch()
    try:
        await anyio.sleep(600)
    except BaseException:
        (FOLDER / "cancelled").touch()
        raise


async def sample(context: ServerRequestContext) -> str:
    message = t.SamplingMessage(role="user", content=t.TextContent(text="How many legs has a cat?"))
    request = t.CreateMessageRequest(params=t.CreateMessageRequestParams(messages=[message], max_tokens=10))
    try:
        result = await context.session.send_request(request, t.CreateMessageResult)
    except MCPError as error:
        return f"refused: {error.message}"
    return str(getattr(result.content, "text", result.content))


server = Server("slow", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def speak() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(speak)
