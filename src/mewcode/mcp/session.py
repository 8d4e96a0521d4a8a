"""An open conversation with a server: the SDK's client behind our own types.

The only module besides the transports that imports the SDK at its top, and therefore imported late, in a thread
(`Connection`). Answers come as plain data, exactly as the server sent them.
"""

import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, Literal

import mcp_types as t
from mcp.client.subscriptions import (
    PromptsListChanged,
    ResourcesListChanged,
    SubscriptionLost,
    ToolsListChanged,
)
from mcp.shared.dispatcher import ProgressFnT
from pydantic import TypeAdapter, ValidationError

from mcp import Client, MCPError
from mewcode import __version__
from mewcode.calls import Round
from mewcode.mcp.callbacks import Callbacks
from mewcode.mcp.errors import RpcError, leaves
from mewcode.mcp.hooks import Hooks
from mewcode.mcp.repair import WIRE
from mewcode.mcp.rounds import bounded, checked, parameters
from mewcode.mcp.shapes import as_object
from mewcode.mcp.wire import Streams, Wire

Mode = Literal["auto", "legacy"]
MODERN = "2026-07-28"

_REQUESTS: Mapping[str, Any] = {
    "tools/call": t.CallToolRequest,
    "resources/read": t.ReadResourceRequest,
    "prompts/get": t.GetPromptRequest,
}
_ANSWER: Any = TypeAdapter(dict[str, Any])
"""Takes an answer as it is. The SDK passes it on, though it is typed for models only."""
INVALID_ANSWER = -33022
"""Our error code for an answer that even mended makes no sense."""

# The SDK logs what a server does wrong, with tracebacks; the connection reports it in its own words.
for _name in ("mcp", "client"):
    logging.getLogger(_name).addHandler(logging.NullHandler())


class Session:
    """Requests to one connected server. Any task may call; cancelling the task cancels the request at the server.

    Every method raises RpcError for an error reply.
    """

    def __init__(self, client: Client, wire: Wire, hooks: Hooks) -> None:
        self._client = client
        self._hooks = hooks
        self.wire = wire
        self.version = client.protocol_version
        self.era: Literal["legacy", "modern"] = "modern" if self.version >= MODERN else "legacy"
        self.server_name = client.server_info.name if client.server_info else ""
        self.server_version = client.server_info.version if client.server_info else ""
        self.instructions = client.instructions or ""
        self.capabilities: Mapping[str, Any] = client.server_capabilities.model_dump(by_alias=True, exclude_none=True)

    async def list_tools(self, cursor: str | None = None) -> Mapping[str, Any]:
        """One page, without the tools whose header annotations the specification tells clients to drop."""
        with _translated():
            page = await self._client.list_tools(cursor=cursor)
        kept = [(tool.meta or {}).get(WIRE) for tool in page.tools]
        return {**_wire(page), "tools": [wire for wire in kept if wire is not None]}

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any],
        progress: ProgressFnT | None = None,
        asked: Round | None = None,
    ) -> Mapping[str, Any]:
        """The result as it came. A server of the new era that wants input first is answered by the callbacks; in a
        round of its caller's, that is the result."""
        if asked is not None and self.era == "modern":
            return await self._round("tools/call", {"name": name, "arguments": dict(arguments)}, asked, progress)
        with _translated():
            result = await self._client.call_tool(name, dict(arguments), progress_callback=progress)
        return _wire(result)

    async def list_resources(self, cursor: str | None = None) -> Mapping[str, Any]:
        with _translated():
            return _wire(await self._client.list_resources(cursor=cursor))

    async def list_templates(self, cursor: str | None = None) -> Mapping[str, Any]:
        with _translated():
            return _wire(await self._client.list_resource_templates(cursor=cursor))

    async def read_resource(self, uri: str, asked: Round | None = None) -> Mapping[str, Any]:
        if asked is not None and self.era == "modern":
            return await self._round("resources/read", {"uri": uri}, asked)
        with _translated():
            return _wire(await self._client.read_resource(uri))

    async def list_prompts(self, cursor: str | None = None) -> Mapping[str, Any]:
        with _translated():
            return _wire(await self._client.list_prompts(cursor=cursor))

    async def get_prompt(
        self, name: str, arguments: Mapping[str, str], asked: Round | None = None
    ) -> Mapping[str, Any]:
        if asked is not None and self.era == "modern":
            return await self._round("prompts/get", {"name": name, "arguments": dict(arguments)}, asked)
        with _translated():
            return _wire(await self._client.get_prompt(name, dict(arguments)))

    async def complete(
        self, reference: Mapping[str, str], argument: str, value: str, known: Mapping[str, str]
    ) -> Mapping[str, Any]:
        """Suggestions for an argument of a prompt (`{"name": …}`) or of a resource template (`{"uri": …}`)."""
        ref = t.PromptReference(name=reference["name"]) if "name" in reference else None
        target = ref or t.ResourceTemplateReference(uri=reference["uri"])
        with _translated():
            answer = await self._client.complete(target, {"name": argument, "value": value}, dict(known) or None)
        return _wire(answer)

    async def set_log_level(self, level: t.LoggingLevel) -> None:
        """Old era only; in the new one each request carries the level."""
        with _translated():
            request = t.SetLevelRequest(params=t.SetLevelRequestParams(level=level))
            await self._client.session.send_request(request, t.EmptyResult)

    async def subscribe(self, uri: str, *, end: bool = False) -> None:
        """Old era only; in the new one `changes` carries the subscriptions."""
        with _translated():
            if end:
                gone = t.UnsubscribeRequest(params=t.UnsubscribeRequestParams(uri=uri))
                await self._client.session.send_request(gone, t.EmptyResult)
            else:
                wanted = t.SubscribeRequest(params=t.SubscribeRequestParams(uri=uri))
                await self._client.session.send_request(wanted, t.EmptyResult)

    async def roots_changed(self) -> None:
        """Old era only."""
        with _translated():
            await self._client.session.send_notification(t.RootsListChangedNotification())

    async def _round(
        self, method: str, params: dict[str, Any], asked: Round, progress: ProgressFnT | None = None
    ) -> Mapping[str, Any]:
        """Asks once, for a client that answers what the server asks."""
        asked = bounded(asked, elicits=self._hooks.elicits, samples=self._hooks.samples)
        request = _REQUESTS[method].model_validate({"params": {**params, **parameters(asked)}}, by_name=False)
        with _translated():
            answer: dict[str, Any] = await self._client.session.send_request(
                request, _ANSWER, progress_callback=progress
            )
        return checked(_unwrapped(answer), asked)

    async def follow(self, hooks: Hooks, resources: Sequence[str]) -> None:
        """New era only: hears changes until the server ends the stream. Raises RpcError when it is refused or lost."""
        with _translated():
            listening = self._client.listen(
                tools_list_changed=True,
                prompts_list_changed=True,
                resources_list_changed=True,
                resource_subscriptions=list(resources),
            )
            async with listening as changes:
                hooks.listening()
                async for event in changes:
                    if isinstance(event, ToolsListChanged):
                        hooks.tools_changed()
                    elif isinstance(event, PromptsListChanged | ResourcesListChanged):
                        hooks.lists_changed()
                    else:
                        hooks.resource_updated(event.uri)


@asynccontextmanager
async def open_session(
    transport: AbstractAsyncContextManager[Streams], wire: Wire, hooks: Hooks, mode: Mode, log_level: t.LoggingLevel
) -> AsyncGenerator[Session, None]:
    """Negotiates the era and keeps the conversation open. Enter and leave it in one task."""
    callbacks = Callbacks(hooks)
    client = Client(
        wire.around(transport),
        mode=mode,
        cache=None,
        client_info=t.Implementation(name="mewcode", title="MewCode", version=__version__),
        message_handler=callbacks.message,
        logging_callback=callbacks.log,
        log_level=log_level,
        elicitation_callback=callbacks.elicit if hooks.elicits else None,
        sampling_callback=callbacks.sample if hooks.samples else None,
        list_roots_callback=callbacks.roots,
    )
    async with AsyncExitStack() as stack:
        with _translated():
            await stack.enter_async_context(client)
        yield Session(client, wire, hooks)


def _wire(result: Any) -> Mapping[str, Any]:
    """The answer as it came, out of the envelope that `repair` put around it."""
    meta = as_object(result.meta)
    return as_object(meta[WIRE]) if WIRE in meta else result.model_dump(by_alias=True, mode="json", exclude_none=True)


def _unwrapped(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = as_object(answer.get("_meta"))
    return as_object(meta[WIRE]) if WIRE in meta else answer


class _translated:  # noqa: N801  reads as the block it guards
    """Turns the SDK's errors into ours."""

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BaseException) and hasattr(error, "exceptions"):
            error = next((leaf for leaf in leaves(error) if isinstance(leaf, MCPError)), None)
        if isinstance(error, MCPError):
            raise RpcError(error.code, error.message, error.data) from error
        if isinstance(error, SubscriptionLost):
            raise RpcError(t.CONNECTION_CLOSED, str(error)) from error
        if isinstance(error, ValidationError | RuntimeError):
            raise RpcError(INVALID_ANSWER, f"the answer makes no sense: {str(error)[:300]}") from error
