"""A span for each request, by the semantic conventions for MCP and GenAI; the client's `traceparent` is its parent."""

from collections.abc import Mapping
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

from mewcode.state import Tracing

_CARRIED = ("traceparent", "tracestate")


class Traces:
    """Middleware. Calls of upstream servers made within carry the span on: the SDK's client injects it."""

    def __init__(self, tracing: Tracing) -> None:
        self._tracing = tracing

    @property
    def on(self) -> bool:
        return self._tracing.on

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        name = (ctx.params or {}).get("name")
        target = f" {name[:100]}" if isinstance(name, str) else ""
        with self._tracing.span(f"{ctx.method}{target}", _attributes(ctx, name), carrier=_carrier(ctx)) as span:
            result = await call_next(ctx)
            if isinstance(result, Mapping) and result.get("isError") is True:
                span.set_attribute("error.type", "tool_error")
            return result


def _attributes(ctx: ServerRequestContext[Any, Any], name: object) -> dict[str, Any]:
    found: dict[str, Any] = {"mcp.method.name": ctx.method, "mcp.protocol.version": ctx.protocol_version}
    if ctx.request_id is not None:
        found["jsonrpc.request.id"] = str(ctx.request_id)
    if ctx.method == "tools/call" and isinstance(name, str):
        found |= {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name[:200]}
    return found


def _carrier(ctx: ServerRequestContext[Any, Any]) -> dict[str, str]:
    """From `_meta`, else from the HTTP headers."""
    meta: Mapping[str, Any] = ctx.meta or {}
    if not isinstance(meta.get("traceparent"), str) and ctx.request is not None:
        meta = ctx.request.headers
    return {key: value for key in _CARRIED if isinstance(value := meta.get(key), str)}
