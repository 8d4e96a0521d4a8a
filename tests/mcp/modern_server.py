"""A server of the 2026-07-28 revision for tests, made with the SDK: tools that come, resources, prompts, questions.

Usage: modern_server.py [stdio | http | https CA CERT KEY]
http and https print the port they listen on as their first line; https lets in clients with a certificate of CA only.
"""

import socket
import sys

import anyio
import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ToolsListChanged

OBJECT = {"type": "object", "properties": {}}
bus = InMemorySubscriptionBus()
tools = {
    name: t.Tool(name=name, description=f"does {name}", input_schema=OBJECT) for name in ("t", "add", "ask", "touch")
}


async def list_tools(context: ServerRequestContext, params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
    return t.ListToolsResult(tools=list(tools.values()))


async def call_tool(
    context: ServerRequestContext, params: t.CallToolRequestParams
) -> t.CallToolResult | t.InputRequiredResult:
    if params.name == "add":
        tools["late"] = t.Tool(name="late", description="appeared", input_schema=OBJECT)
        await bus.publish(ToolsListChanged())
    if params.name == "touch":
        await bus.publish(ResourceUpdated(uri="note://one"))
    if params.name == "ask":
        return ask(params)
    return t.CallToolResult(content=[t.TextContent(text="useful")])


def ask(params: t.CallToolRequestParams) -> t.CallToolResult | t.InputRequiredResult:
    """The first round asks for a name, the second greets it."""
    answer = (params.input_responses or {}).get("who")
    if isinstance(answer, t.ElicitResult):
        return t.CallToolResult(content=[t.TextContent(text=f"{answer.action}: {(answer.content or {}).get('name')}")])
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    question = t.ElicitRequest(params=t.ElicitRequestFormParams(message="Who are you?", requested_schema=schema))
    return t.InputRequiredResult(input_requests={"who": question}, request_state="round-1")


async def list_resources(
    context: ServerRequestContext, params: t.PaginatedRequestParams | None
) -> t.ListResourcesResult:
    return t.ListResourcesResult(resources=[t.Resource(uri="note://one", name="one", mime_type="text/plain")])


async def read_resource(context: ServerRequestContext, params: t.ReadResourceRequestParams) -> t.ReadResourceResult:
    return t.ReadResourceResult(contents=[t.TextResourceContents(uri=params.uri, text="the first note")])


async def list_prompts(context: ServerRequestContext, params: t.PaginatedRequestParams | None) -> t.ListPromptsResult:
    arguments = [t.PromptArgument(name="topic", required=True)]
    return t.ListPromptsResult(prompts=[t.Prompt(name="explain", description="explains", arguments=arguments)])


async def get_prompt(context: ServerRequestContext, params: t.GetPromptRequestParams) -> t.GetPromptResult:
    text = f"Explain {(params.arguments or {}).get('topic')}."
    return t.GetPromptResult(messages=[t.PromptMessage(role="user", content=t.TextContent(text=text))])


async def complete(context: ServerRequestContext, params: t.CompleteRequestParams) -> t.CompleteResult:
    values = [word for word in ("cats", "cars", "dogs") if word.startswith(params.argument.value)]
    return t.CompleteResult(completion=t.Completion(values=values))


server = Server(
    "modern",
    version="1",
    instructions="Be kind. " * 400,
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_list_resources=list_resources,
    on_read_resource=read_resource,
    on_list_prompts=list_prompts,
    on_get_prompt=get_prompt,
    on_completion=complete,
    on_subscriptions_listen=ListenHandler(bus),
)


async def speak() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options(NotificationOptions(tools_changed=True)))


def serve(ca: str | None = None, cert: str | None = None, key: str | None = None) -> None:
    import ssl

    import uvicorn

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(
        server.streamable_http_app(),
        log_level="warning",
        ssl_ca_certs=ca,
        ssl_certfile=cert,
        ssl_keyfile=key,
        ssl_cert_reqs=ssl.CERT_REQUIRED if ca else ssl.CERT_NONE,
    )
    uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    if sys.argv[1:2] in (["http"], ["https"]):
        serve(*sys.argv[2:])
    else:
        anyio.run(speak)
