"""The calls of this replica that wait for their clients in the midst of a call: how many may, how long, and what
whoever comes too late, twice, or to the wrong replica is told."""

import logging
import secrets
import time
import uuid
from collections.abc import Awaitable, Callable

import anyio
import mcp_types as t
from anyio.abc import TaskGroup, TaskStatus

from mewcode.calls import Channel, ErrorKind, ToolResult
from mewcode.server.gateway.suspended import Outcome, SuspendedCall, Ticket
from mewcode.server.results import upstream_result

MOST = 200
"""Calls that wait for their clients at once; of one principal a tenth of that. Beyond it nobody is asked."""
MOST_OF_ONE = MOST // 10
AFTERWARDS = 600.0
"""Seconds after a question's end in which its client can still learn what became of the call."""
MOST_REMEMBERED = 1_000
_log = logging.getLogger(__name__)


class Suspensions:
    """`patience` are the seconds that a client has to answer."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._replica = secrets.token_hex(8)
        self._calls: dict[str, SuspendedCall] = {}
        self._missed: dict[str, tuple[float, str]] = {}
        """Calls whose clients never came back: when they ended, and how. The oldest first."""
        self._tasks: TaskGroup | None = None

    @property
    def running(self) -> int:
        """Calls that have begun and not ended, whether or not they were ever asked about."""
        return len(self._calls)

    @property
    def waiting(self) -> int:
        """Calls that wait for their clients now."""
        return sum(call.waits for call in self._calls.values())

    async def run(self, *, task_status: TaskStatus[None]) -> None:
        """Give it a task: calls live in it, and end with it."""
        async with anyio.create_task_group() as self._tasks:
            task_status.started()
            await anyio.sleep_forever()

    async def begin(
        self, principal: str, work: Callable[[SuspendedCall], Awaitable[Outcome]], channel: Channel
    ) -> Outcome:
        """Begins a call that may stop to ask; returns its end or its first questions."""
        assert self._tasks is not None, "run comes first"
        call = SuspendedCall(f"call_{uuid.uuid4().hex[:16]}", principal, self._replica, self._patience, self._room)
        self._calls[call.id] = call
        self._tasks.start_soon(self._carry_out, call, work)
        return await call.news(channel)

    async def resume(self, params: t.CallToolRequestParams, channel: Channel) -> Outcome | None:
        """Goes on with the call that the request belongs to; None where it begins one of its own."""
        ticket = Ticket.read(params.request_state)
        if ticket is None:
            return None
        call = self._calls.get(ticket.call)
        if call is None or not call.take(ticket, params.input_responses or {}):
            return upstream_result(self._not_taken(ticket))
        return await call.news(channel)

    async def _carry_out(self, call: SuspendedCall, work: Callable[[SuspendedCall], Awaitable[Outcome]]) -> None:
        try:
            await call.run(work)
        finally:
            del self._calls[call.id]
            if call.abandoned:
                _log.info("nobody answered what %s was asked; %s", call.id, call.how)
                self._remember(call)

    def _remember(self, call: SuspendedCall) -> None:
        now = time.monotonic()
        kept = {key: one for key, one in self._missed.items() if now - one[0] < AFTERWARDS}
        kept[call.id] = (now, call.how)
        self._missed = dict(list(kept.items())[-MOST_REMEMBERED:])

    def _room(self, principal: str) -> bool:
        own = sum(call.waits for call in self._calls.values() if call.principal == principal)
        return self.waiting < MOST and own < MOST_OF_ONE

    def _not_taken(self, ticket: Ticket) -> ToolResult:
        """Nothing was done by this request; what is known of the call is said."""
        kept = f"The call was not made again; the audit has it as {ticket.call}."
        if ticket.replica != self._replica:
            text = (
                "Another replica of this server holds the call that these answers are for, or held it before it ended. "
                f"Send the same request again to reach it. Whether the call has acted is not known. {kept}"
            )
            return ToolResult.failed(ErrorKind.OUTCOME_UNKNOWN, text)
        if ticket.call in self._missed:
            how = self._missed[ticket.call][1]
            text = f"The answers came too late: the server went on without them, and {how}. {kept}"
            return ToolResult.failed(ErrorKind.TIMEOUT, text)
        if ticket.call in self._calls:
            text = f"These answers were given before, and the call goes on with those. {kept}"
            return ToolResult.failed(ErrorKind.REFUSED, text)
        text = (
            "The call that these answers are for is over: it was answered before, or given up. Whether it has acted is "
            f"not known here. {kept}"
        )
        return ToolResult.failed(ErrorKind.OUTCOME_UNKNOWN, text)
