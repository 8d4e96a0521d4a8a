"""Limits and the breaker: refused at once with the time to wait, never queued."""

import logging
import math
from collections.abc import Awaitable

import anyio

from mewcode.calls import ErrorKind, Question, ToolResult
from mewcode.governance.limits.admission import Admission, Refusal
from mewcode.governance.limits.breaker import Breaker
from mewcode.governance.passage import Next, Passage, Reply
from mewcode.governance.rules.name import ToolName
from mewcode.state.store import StoreUnavailableError
from mewcode.tools import ServerState, Tool, ToolRegistry

FAILURES = frozenset({ErrorKind.TIMEOUT, ErrorKind.SERVER_MISSING, ErrorKind.OUTCOME_UNKNOWN, ErrorKind.INTERNAL})
"""What counts against a server: that it did not answer. A tool that reports an error works."""
_NOTE_WITHIN = 5.0
"""Seconds that a cancelled call may take to leave the trial to another."""
_log = logging.getLogger(__name__)


class Admit:
    def __init__(self, admission: Admission, breaker: Breaker, registry: ToolRegistry) -> None:
        self._admission = admission
        self._breaker = breaker
        self._registry = registry

    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        tool, principal = passage.resolved_tool, passage.call.principal
        try:
            ticket = await self._admission.enter(principal, ToolName.of(tool))
        except StoreUnavailableError as error:
            if not self._admission.rules.open_without_store:
                return ToolResult.failed(ErrorKind.RATE_LIMITED, f"Not run: {error}", server=tool.server)
            return await self._past_breaker(passage, proceed)
        if isinstance(ticket, Refusal):
            return _over_limit(passage, ticket)
        try:
            return await self._past_breaker(passage, proceed)
        finally:
            await self._admission.leave(ticket)

    async def _past_breaker(self, passage: Passage, proceed: Next) -> Reply:
        server = passage.resolved_tool.server
        if server is None:
            return await proceed(passage)
        lane = _lane(passage.resolved_tool)
        try:
            wait = await self._breaker.admit(lane)
        except StoreUnavailableError as error:
            if not self._admission.rules.open_without_store:
                return ToolResult.failed(ErrorKind.BREAKER_OPEN, f"Not run: {error}", server=server)
            return await proceed(passage)
        if wait is not None:
            return self._left_alone(server, wait)
        started = passage.seconds
        try:
            reply = await proceed(passage)
        except BaseException:
            with anyio.CancelScope(shield=True), anyio.move_on_after(_NOTE_WITHIN):
                await _unless_away(self._breaker.forget_trial(lane))
            raise
        if not isinstance(reply, Question):
            failed = reply.error is not None and reply.error.kind in FAILURES
            await _unless_away(self._breaker.note(lane, failed=failed, seconds=passage.seconds - started))
        return reply

    def _left_alone(self, server: str, wait: float) -> ToolResult:
        ready = [s.name for s in self._registry.sources.values() if s.state is ServerState.READY and s.name != server]
        others = f", and the servers {', '.join(sorted(ready))}" if ready else ""
        text = (
            f"Not run: the server {server} failed several times and is left alone for another {math.ceil(wait)} s. "
            f"What still works: the built-in tools{others}."
        )
        return ToolResult.failed(ErrorKind.BREAKER_OPEN, text, server=server, retry_after=wait)


def _lane(tool: Tool) -> str:
    """What fails together: a server, or one principal's connection to it. The wrong password of one must not close the
    server to the others."""
    return tool.server or "" if tool.owner is None else f"{tool.server} for {tool.owner}"


def _over_limit(passage: Passage, refusal: Refusal) -> ToolResult:
    tool = passage.resolved_tool
    text = f"Not run: {refusal.what}. Try {tool.name} again in {math.ceil(refusal.retry_after)} s."
    return ToolResult.failed(ErrorKind.RATE_LIMITED, text, server=tool.server, retry_after=refusal.retry_after)


async def _unless_away(note: Awaitable[None]) -> None:
    """What a call found is its result, whether or not the shared state hears of it."""
    try:
        await note
    except StoreUnavailableError as error:
        _log.warning("the breaker was not told how a call went: %s", error)
