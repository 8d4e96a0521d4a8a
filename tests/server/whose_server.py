"""An upstream server that says whose credentials a request came with, for tests of one connection for each principal.

Usage: whose_server.py [http]
Over stdio the credential is the variable WHO, over HTTP the header Authorization; http prints its port first, and
refuses whoever brings none. What it lists depends on who asks.
"""

import os
import socket
import sys

import anyio
import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

OBJECT = {"type": "object", "properties": {}}
bus = InMemorySubscriptionBus()


def who(context: ServerRequestContext) -> str:
    """The name in the credential: the credential itself is a secret, which MewCode would hide."""
    if context.request is None:
        return os.environ.get("WHO", "nobody").partition("-")[0]
    return context.request.headers.get("authorization", "nobody").removeprefix("Bearer ").partition("-")[0]


async def list_tools(context: ServerRequestContext, params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
    names = ("whoami", "process", "touch", f"only_{who(context)}")
    return t.ListToolsResult(
        tools=[t.Tool(name=name, description=f"for {who(context)}", input_schema=OBJECT) for name in names]
    )


async def call_tool(context: ServerRequestContext, params: t.CallToolRequestParams) -> t.CallToolResult:
    if params.name == "touch":
        await bus.publish(ResourceUpdated(uri="note://mine"))
    text = str(os.getpid()) if params.name == "process" else who(context)
    return t.CallToolResult(content=[t.TextContent(text=text)])


async def list_resources(
    context: ServerRequestContext, params: t.PaginatedRequestParams | None
) -> t.ListResourcesResult:
    return t.ListResourcesResult(
        resources=[t.Resource(uri=uri, name=uri) for uri in ("note://mine", f"note://{who(context)}")]
    )


async def read_resource(context: ServerRequestContext, params: t.ReadResourceRequestParams) -> t.ReadResourceResult:
    return t.ReadResourceResult(contents=[t.TextResourceContents(uri=params.uri, text=f"note of {who(context)}")])


async def list_prompts(context: ServerRequestContext, params: t.PaginatedRequestParams | None) -> t.ListPromptsResult:
    return t.ListPromptsResult(prompts=[t.Prompt(name=f"prompt_{who(context)}")])


async def get_prompt(context: ServerRequestContext, params: t.GetPromptRequestParams) -> t.GetPromptResult:
    return t.GetPromptResult(messages=[t.PromptMessage(role="user", content=t.TextContent(text=who(context)))])


server = Server(
    "whose",
    version="1",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_list_resources=list_resources,
    on_read_resource=read_resource,
    on_list_prompts=list_prompts,
    on_get_prompt=get_prompt,
    on_subscriptions_listen=ListenHandler(bus),
)


async def speak() -> None:
    async with stdio_server() as (read, write):
        options = NotificationOptions(tools_changed=True, resources_changed=True)
        await server.run(read, write, server.create_initialization_options(options))


class Strict:
    """Nobody without a credential."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        named = {key for key, _ in scope.get("headers", ())}
        if scope["type"] == "http" and b"authorization" not in named:
            await Response("who are you?", status_code=401, headers={"WWW-Authenticate": "Bearer"})(
                scope, receive, send
            )
            return
        await self._app(scope, receive, send)


def serve() -> None:
    import uvicorn

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(Strict(server.streamable_http_app()), log_level="warning")).run([listener])


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["http"] else anyio.run(speak)
