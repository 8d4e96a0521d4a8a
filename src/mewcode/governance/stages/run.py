"""The only place that calls `Tool.execute`, under a deadline."""

import logging
import math
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import anyio

from mewcode.calls import Channel, ErrorKind, ToolResult
from mewcode.errors import ServerMissingError, ToolFailedError, WorkspaceError
from mewcode.governance.limits.deadlines import Deadlines
from mewcode.governance.passage import Next, Passage, Reply
from mewcode.governance.rules.name import ToolName

_log = logging.getLogger(__name__)
_EXPECTED = (ToolFailedError, WorkspaceError)


class Run:
    """A deadline of the settings restarts when the tool reports progress; the tool's own is the hard end, unless the
    settings give more."""

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines

    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        call, tool = passage.call, passage.resolved_tool
        own = tool.deadline(call.arguments)
        given = self._deadlines.of(ToolName.of(tool))
        idle = own if given is None else given
        hard = max(own, idle)
        if call.deadline is not None:
            idle, hard = min(idle, call.deadline), min(hard, call.deadline)
        now = anyio.current_time()
        scope = anyio.CancelScope(deadline=now + idle)
        clock = _Clock(scope, idle, now + hard)
        passage.call = replace(call, deadline=hard, channel=_Restarting(call.channel, clock), asking=clock.stopped)
        with scope:
            return await _execute(passage)
        text = f"{tool.name} did not finish within {idle:g} s and was stopped. Whether it acted is not known."
        return ToolResult.failed(ErrorKind.TIMEOUT, text, server=tool.server)


@dataclass
class _Clock:
    """Gives a call another `idle` seconds from time to time, up to `end`. While a person is asked it stands still."""

    scope: anyio.CancelScope
    idle: float
    end: float
    asked: int = 0

    def restart(self) -> None:
        self.scope.deadline = math.inf if self.asked else min(self.end, anyio.current_time() + self.idle)

    @contextmanager
    def stopped(self) -> Generator[None, None, None]:
        began = anyio.current_time()
        self.asked += 1
        self.restart()
        try:
            yield
        finally:
            self.asked -= 1
            self.end += anyio.current_time() - began
            self.restart()


@dataclass
class _Restarting:
    """The caller's channel; progress through it restarts the clock."""

    channel: Channel
    clock: _Clock

    async def progress(self, done: float, total: float | None, note: str | None) -> None:
        self.clock.restart()
        await self.channel.progress(done, total, note)

    async def log(self, level: str, text: str) -> None:
        await self.channel.log(level, text)

    async def output(self, text: str) -> None:
        await self.channel.output(text)


async def _execute(passage: Passage) -> ToolResult:
    call, tool = passage.call, passage.resolved_tool
    try:
        return await tool.execute(call)
    except _EXPECTED as error:
        return ToolResult.failed(ErrorKind.TOOL_ERROR, str(error), server=tool.server)
    except ServerMissingError as error:
        return ToolResult.failed(ErrorKind.SERVER_MISSING, str(error), server=tool.server)
    except Exception:  # noqa: BLE001 - whatever a tool raises becomes a result
        incident = uuid.uuid4().hex[:12]
        _log.exception("%s failed (incident %s)", tool.name, incident)
        text = f"{tool.name} failed inside (incident {incident}). Whether it acted is not known."
        return ToolResult.failed(ErrorKind.INTERNAL, text, server=tool.server)
