"""resources/* and prompts/*: each reading is a call of the gate, as tools/call is."""

import base64
from typing import Any

import mcp_types as t
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from mewcode.app.house import App
from mewcode.calls import ErrorKind, Image, ToolCall, ToolResult
from mewcode.mcp.errors import RpcError, ServerGoneError, TimedOutError
from mewcode.server.asking import Context
from mewcode.server.callers import Caller
from mewcode.server.calls import ToolCalls
from mewcode.server.gateway.prompts import GET_UPSTREAM, Prompts
from mewcode.server.gateway.resources import READ_UPSTREAM, Resources
from mewcode.server.gateway.rounds import round_of
from mewcode.server.results import passed_on


class Fetching:
    def __init__(self, calls: ToolCalls, resources: Resources, prompts: Prompts) -> None:
        self._calls = calls
        self.resources = resources
        self.prompts = prompts

    async def read(
        self, app: App, caller: Caller, ctx: Context, params: t.ReadResourceRequestParams
    ) -> t.ReadResourceResult | t.InputRequiredResult:
        target = await self.resources.target(app, caller.principal, params.uri)
        if target is None:
            raise MCPError(t.INVALID_PARAMS, "Resource not found", {"uri": params.uri[:500]})
        tool, arguments = target
        outcome = await self._fetch(app, caller, ctx, params, tool, arguments)
        if isinstance(outcome, t.InputRequiredResult):
            return outcome
        if outcome.is_error:
            raise _failure(outcome, params.uri)
        return _contents(outcome, params.uri, upstream=tool == READ_UPSTREAM)

    async def get(
        self, app: App, caller: Caller, ctx: Context, params: t.GetPromptRequestParams
    ) -> t.GetPromptResult | t.InputRequiredResult:
        given = dict(params.arguments or {})
        own = self.prompts.own(app, caller.principal, params.name, given)
        if own is not None:
            return own
        target = await self.prompts.target(app, caller.principal, params.name)
        if target is None:
            raise MCPError(t.INVALID_PARAMS, f"Unknown prompt: {params.name[:200]}")
        arguments = {"server": target[0], "prompt": target[1], "arguments": given}
        outcome = await self._fetch(app, caller, ctx, params, GET_UPSTREAM, arguments)
        if isinstance(outcome, t.InputRequiredResult):
            return outcome
        if outcome.is_error:
            raise _failure(outcome, params.name)
        try:
            return t.GetPromptResult.model_validate(passed_on(outcome.wire or {}), by_name=False)
        except ValidationError:
            raise MCPError(t.INTERNAL_ERROR, f"The server's prompt {params.name[:200]} makes no sense") from None

    async def complete(self, app: App, caller: Caller, params: t.CompleteRequestParams) -> t.CompleteResult:
        """Suggestions of the server that has the prompt or template; none from ours."""
        known = dict(params.context.arguments or {}) if params.context else {}
        ref, argument = params.ref, params.argument
        if isinstance(ref, t.PromptReference):
            prompt = await self.prompts.target(app, caller.principal, ref.name)
            server, reference = (None, {}) if prompt is None else (prompt[0], {"name": prompt[1]})
        else:
            target = await self.resources.target(app, caller.principal, ref.uri)
            server, reference = (None if target is None else target[1].get("server")), {"uri": ref.uri}
        if server is None:
            return t.CompleteResult(completion=t.Completion(values=[]))
        try:
            connection = (await app.servers.server_for(server, caller.principal.name)).connection
            answer = await connection.read(
                lambda session: session.complete(reference, argument.name, argument.value, known),
                app.settings.mcp.list_timeout,
            )
            return t.CompleteResult.model_validate(dict(answer), by_name=False)
        except (RpcError, ServerGoneError, TimedOutError, ValidationError):
            return t.CompleteResult(completion=t.Completion(values=[]))

    async def _fetch(
        self, app: App, caller: Caller, ctx: Context, params: Any, tool: str, arguments: dict[str, Any]
    ) -> ToolResult | t.InputRequiredResult:
        found = app.registry.get(tool)
        if found is not None:
            app.discovery.discovered.load(caller.session, found)
        call = ToolCall(tool, arguments, caller.session, caller.principal, round=round_of(ctx, params))
        return await self._calls.through(app, call, ctx, params)


def _contents(result: ToolResult, uri: str, *, upstream: bool) -> t.ReadResourceResult:
    if upstream and result.wire is not None:
        try:
            return t.ReadResourceResult.model_validate(passed_on(result.wire), by_name=False)
        except ValidationError:
            pass  # what could be read of it goes on
    contents: list[t.TextResourceContents | t.BlobResourceContents] = [
        t.BlobResourceContents(uri=uri, blob=base64.b64encode(block.data).decode(), mime_type=block.media_type)
        for block in result.content
        if isinstance(block, Image)
    ]
    if result.text or not contents:
        contents.insert(0, t.TextResourceContents(uri=uri, text=result.text, mime_type="text/plain"))
    return t.ReadResourceResult(contents=contents, ttl_ms=0, cache_scope="private")


def _failure(result: ToolResult, what: str) -> MCPError:
    """A reading that was refused tells no more than one of what is not there, except why it was refused."""
    kind = result.error.kind if result.error else ErrorKind.TOOL_ERROR
    if kind is ErrorKind.UNKNOWN_TOOL:
        return MCPError(t.INVALID_PARAMS, "Resource not found", {"uri": what[:500]})
    code = t.INTERNAL_ERROR if kind in (ErrorKind.SERVER_MISSING, ErrorKind.TIMEOUT) else t.INVALID_PARAMS
    return MCPError(code, result.text[:2_000] or "It could not be read", {"kind": kind.value})
