"""An upstream for the soak: `soak_server.py good|slow|dies|hangs|leaks`. Its tool `echo` answers with its text, mostly.

slow: after up to half a second. dies: ends its process at one call in twenty. hangs: never answers one call in twenty.
leaks: keeps what it was sent, floods its standard error, and now and then starts a process that outlives it.
"""

import os
import random
import subprocess
import sys

import anyio
import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
ECHO = t.Tool(name="echo", description="Answers with its text.", input_schema=SCHEMA)
ONE_IN = 20
MODE = sys.argv[1]
_kept: list[str] = []


async def list_tools(ctx: ServerRequestContext, params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
    return t.ListToolsResult(tools=[ECHO])


async def call_tool(ctx: ServerRequestContext, params: t.CallToolRequestParams) -> t.CallToolResult:
    text = str((params.arguments or {}).get("text"))
    unlucky = random.randrange(ONE_IN) == 0
    if MODE == "slow":
        await anyio.sleep(random.uniform(0, 0.5))
    elif MODE == "dies" and unlucky:
        os._exit(3)
    elif MODE == "hangs" and unlucky:
        await anyio.sleep_forever()
    elif MODE == "leaks":
        _kept.append(text * 1_000)
        print("x" * 1_000, file=sys.stderr)
        if unlucky:
            subprocess.Popen(["sleep", "86400"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return t.CallToolResult(content=[t.TextContent(text=text)])


server = Server("soak", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def speak() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


anyio.run(speak)
