"""An upstream server of the old era that asks in the midst of its calls, for tests of the gateway.

Usage: asking_server.py FOLDER
Each tool notes in FOLDER/log when it began and how it ended: `order` asks how many, `both` asks how many and then
which colour, `think` asks the client's model, `silent` asks nothing.
"""

import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

LOG = Path(sys.argv[1]) / "log"
NAMES = ("order", "both", "think", "silent")
OBJECT = {"type": "object", "properties": {}}


def note(text: str) -> None:
    with LOG.open("a") as log:
        log.write(text + "\n")


async def list_tools(context: ServerRequestContext, params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
    return t.ListToolsResult(tools=[t.Tool(name=name, input_schema=OBJECT) for name in NAMES])


async def call_tool(context: ServerRequestContext, params: t.CallToolRequestParams) -> t.CallToolResult:
    note(f"{params.name} began")
    try:
        text = await answer(context, params.name)
    except BaseException:
        note(f"{params.name} was cancelled")
        raise
    note(f"{params.name}: {text}")
    return t.CallToolResult(content=[t.TextContent(text=text)])


async def answer(context: ServerRequestContext, name: str) -> str:
    if name == "think":
        return await think(context)
    wanted = {"order": ["many"], "both": ["many", "colour"]}.get(name, [])
    given: list[Any] = []
    for step, field in enumerate(wanted, 1):
        await context.session.report_progress(step, None, f"asking for {field}")
        given.append(await ask(context, field))
    return " ".join(map(str, given)) or "nothing"


async def ask(context: ServerRequestContext, field: str) -> Any:
    form = {"type": "object", "properties": {field: {"type": "string"}}, "required": [field]}
    result = await context.session.elicit_form(f"How about {field}?", form, context.request_id)
    return (result.content or {}).get(field) if result.action == "accept" else result.action


async def think(context: ServerRequestContext) -> str:
    message = t.SamplingMessage(role="user", content=t.TextContent(text="How many legs has a cat?"))
    request = t.CreateMessageRequest(params=t.CreateMessageRequestParams(messages=[message], max_tokens=10))
    try:
        result = await context.session.send_request(request, t.CreateMessageResult)
    except MCPError:
        return "refused"
    return str(getattr(result.content, "text", result.content))


server = Server("asking", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def speak() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(speak)
