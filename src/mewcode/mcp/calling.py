"""Calls of tools: deadlines, progress, cancellation, and what to say when the server does not answer."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from mewcode.calls import Channel, ErrorKind, Origin, ToolCall, ToolResult, Trust
from mewcode.mcp.connection import Connection
from mewcode.mcp.deadlines import IdleDeadline
from mewcode.mcp.errors import RpcError, ServerGoneError, TimedOutError
from mewcode.mcp.failure import seconds
from mewcode.mcp.output_schema import mismatch
from mewcode.mcp.results import tool_result
from mewcode.mcp.rounds import wants_input
from mewcode.mcp.shapes import as_list, as_object, as_text
from mewcode.mcp.tool_definition import ToolDefinition
from mewcode.mcp.url_elicitation import visit_urls
from mewcode.mcp.voice import InFlight
from mewcode.tools import ServerState

if TYPE_CHECKING:
    from mewcode.mcp.session import Session

LARGE = 1_000_000
"""Characters of a result above which it is read in a thread."""
_NEVER_ACTED = (-33010, -33013)
"""Codes of `wire` and `transports.soft`: the request was not sent, or the server did not know the session."""
_URL_ELICITATION_REQUIRED = -32042
_INVALID_PARAMS = -32602
_MISSING_CAPABILITY = -32021
_ASKS_FIRST = "(the server asks for input before it goes on)"


class Caller:
    """Executes calls over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._one_at_a_time = anyio.Lock()

    async def execute(self, tool: ToolDefinition, call: ToolCall) -> ToolResult:
        """The result, or one that says what failed. Only cancellation is raised."""
        definition = self._connection.definition
        longest = call.deadline or max(definition.longest_call, definition.timeout)
        deadline = IdleDeadline(definition.timeout, longest)
        try:
            session = await self._connection.ready(longest)
            with deadline.running():
                answer = await self._ask(session, tool, call, deadline)
        except ServerGoneError as error:
            return self._failed(self._kind_of_gone(), str(error), tool)
        except TimedOutError as error:
            return self._failed(ErrorKind.TIMEOUT, _late(definition.name, tool.name, error), tool)
        except RpcError as error:
            return await self._refused(error, tool, call)
        return await self._result(answer, tool)

    async def _ask(
        self, session: "Session", tool: ToolDefinition, call: ToolCall, deadline: IdleDeadline
    ) -> Mapping[str, Any]:
        """Asks once; again only when it is certain that the server did not act the first time."""
        try:
            return await self._ask_once(session, tool, call, deadline)
        except RpcError as error:
            self._connection.lost_by(error)
            if error.code not in _NEVER_ACTED:
                raise
            try:
                session = await self._connection.ready(self._connection.definition.connect_timeout)
            except ServerGoneError:
                raise error from None
            return await self._ask_once(session, tool, call, deadline)

    async def _ask_once(
        self, session: "Session", tool: ToolDefinition, call: ToolCall, deadline: IdleDeadline
    ) -> Mapping[str, Any]:
        voice = self._connection.voice
        async with AsyncExitStack() as stack:
            if voice.asks and session.era == "legacy":
                await stack.enter_async_context(self._one_at_a_time)
            stack.enter_context(voice.during(InFlight(call, deadline)))
            return await session.call_tool(tool.name, call.arguments, _progress(call.channel, deadline), call.round)

    async def _result(self, answer: Mapping[str, Any], tool: ToolDefinition) -> ToolResult:
        server = self._connection.definition.name
        if wants_input(answer):
            origin = Origin(tool=tool.name, server=server)
            return ToolResult.of_text(_ASKS_FIRST, origin=origin, trust=Trust.EXTERNAL, wire=answer)
        if _size(answer) > LARGE:
            result = await anyio.to_thread.run_sync(tool_result, answer, server, tool.name)
        else:
            result = tool_result(answer, server, tool.name)
        if tool.output_schema is None or result.is_error:
            return result
        wrong = mismatch(tool.output_schema, result.structured)
        if wrong:
            self._connection.voice.noise(f"{tool.name}: its result does not fit its own outputSchema: {wrong}")
        return result

    async def _refused(self, error: RpcError, tool: ToolDefinition, call: ToolCall) -> ToolResult:
        """What an error reply means for the caller."""
        name = self._connection.definition.name
        if self._connection.lost_by(error) and error.code not in _NEVER_ACTED:
            return self._failed(ErrorKind.OUTCOME_UNKNOWN, _unknown(name, tool.name, error, self._last_words()), tool)
        if error.code == _URL_ELICITATION_REQUIRED:
            with call.asking():
                visited = await visit_urls(self._connection.voice, error)
            return self._failed(ErrorKind.TOOL_ERROR, visited, tool)
        status = error.http.get("status")
        if status == 429:
            text = f"Server {name} limits its callers: {error.message}."
            return self._failed(ErrorKind.RATE_LIMITED, text, tool, seconds(error.http.get("retry_after")))
        if status == 401 or error.code in _NEVER_ACTED:
            text = f"Server {name} did not take the call of {tool.name}: {error.message}. Nothing was done."
            return self._failed(ErrorKind.SERVER_MISSING, text, tool)
        kind = ErrorKind.INVALID_ARGUMENTS if error.code == _INVALID_PARAMS else ErrorKind.TOOL_ERROR
        failed = self._failed(kind, f"Server {name} refused {tool.name}: {_with_data(error)}", tool)
        if error.code == _MISSING_CAPABILITY and call.round is not None and failed.error is not None:
            reply = {"code": error.code, "message": error.message, "data": error.data}
            return replace(failed, error=replace(failed.error, reply=reply))
        return failed

    def _failed(self, kind: ErrorKind, text: str, tool: ToolDefinition, retry_after: float | None = None) -> ToolResult:
        server = self._connection.definition.name
        origin = Origin(tool=tool.name, server=server)
        return ToolResult.failed(
            kind, text, server=server, retry_after=retry_after, origin=origin, trust=Trust.EXTERNAL
        )

    def _kind_of_gone(self) -> ErrorKind:
        waiting = self._connection.source.state in (ServerState.CONNECTING, ServerState.RETRYING)
        return ErrorKind.TIMEOUT if waiting else ErrorKind.SERVER_MISSING

    def _last_words(self) -> str:
        attempt = self._connection.attempt
        return attempt.errors.tail(3) if attempt is not None and attempt.errors is not None else ""


class _progress:  # noqa: N801  a callback with what it needs
    """Passes progress on, and keeps the call alive."""

    def __init__(self, channel: Channel, deadline: IdleDeadline) -> None:
        self._channel = channel
        self._deadline = deadline

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        self._deadline.extend()
        await self._channel.progress(progress, total, message)


def _late(server: str, tool: str, error: TimedOutError) -> str:
    if error.hard:
        return f"Server {server} did not finish {tool} within {error.seconds:g} s, the longest a call may take."
    return (
        f"Server {server} did not answer {tool} for {error.seconds:g} s and reported no progress. The call was "
        "cancelled; whether it had an effect is unknown. The server's `timeout` in the settings says how long to wait."
    )


def _unknown(server: str, tool: str, error: RpcError, stderr: str) -> str:
    text = (
        f"The connection to server {server} was lost while {tool} ran ({error.message}). The outcome is unknown: it "
        "may have taken effect. It was not repeated; check before you call it again."
    )
    return f"{text}\nIts last words on standard error:\n{stderr}" if stderr else text


def _with_data(error: RpcError) -> str:
    facts = error.http
    if facts:
        return f"{error.message} {facts.get('body') or ''}".strip()
    data = "" if error.data is None else f" {str(error.data)[:500]}"
    return f"{error}{data}"


def _size(answer: Mapping[str, Any]) -> int:
    blocks = [as_object(block) for block in as_list(answer.get("content"))]
    return sum(len(as_text(block.get("text")) or as_text(block.get("data")) or "") for block in blocks)
