"""Stands between the SDK's client and a transport: mends answers, ends the era probe in time, notices the end.

Imports the SDK: only `session.py` and the transports import this module.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeAlias

import anyio
import mcp_types as t
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from mewcode.mcp.repair import Report, mend
from mewcode.mcp.rounds import declared

Incoming: TypeAlias = SessionMessage | Exception
Streams: TypeAlias = tuple[Any, Any]
"""What the SDK calls TransportStreams: a readable and a writable stream of session messages."""

NOT_SENT = -33010
"""Our error code for a request that never left, or not whole: no server acted on it."""
UNREADABLE_REPLY = -33020
"""Our error code for a reply that came but could not be read; outside the range JSON-RPC reserves."""
PROBE_UNANSWERED = -33021
"""Our error code for `server/discover` that nobody answered in time."""


class Wire:
    """What is known of one connection's traffic.

    `closed` is set when nothing more will come. `probed` is true once `server/discover` was sent and while it has no
    answer: a server that dies then dies of the probe.
    """

    def __init__(self, report: Report, probe_timeout: float) -> None:
        self.closed = anyio.Event()
        self.probed = False
        self.unanswered = False
        """The probe was not answered in its time."""
        self.answered_late = False
        """The probe was answered after its time: the server is slow to start, which says nothing about its era."""
        self._probe: t.RequestId | None = None
        self._report = report
        self._probe_timeout = probe_timeout
        self._methods: dict[t.RequestId, str] = {}
        self._on_its_way: set[t.RequestId] = set()
        self._reported = False
        self._answers: MemoryObjectSendStream[Incoming] | None = None

    @property
    def pending(self) -> Mapping[t.RequestId, str]:
        """Requests of ours that wait for a reply, with their methods."""
        return self._methods

    @asynccontextmanager
    async def around(self, transport: AbstractAsyncContextManager[Streams]) -> AsyncGenerator[Streams, None]:
        """The transport, watched."""
        async with transport as (read, write), anyio.create_task_group() as tasks:
            answers, incoming = anyio.create_memory_object_stream[Incoming](0)
            self._answers = answers
            tasks.start_soon(self._pump, read, answers)
            try:
                yield incoming, _Outgoing(write, self, tasks)
            finally:
                tasks.cancel_scope.cancel()
                incoming.close()

    def report_deliveries(self) -> None:
        """The transport promises to say of each request when it has left whole (`delivered`)."""
        self._reported = True

    def delivered(self, request: t.RequestId) -> None:
        """The request has left whole: from here on the server may have acted on it."""
        self._on_its_way.discard(request)

    async def fail(self, request: t.RequestId, code: int, why: str) -> None:
        """Answers a request of ours with an error, as no better answer will come."""
        self._on_its_way.discard(request)
        if self._methods.pop(request, None) is None or self._answers is None:
            return
        error = t.JSONRPCError(jsonrpc="2.0", id=request, error=t.ErrorData(code=code, message=why))
        try:
            await self._answers.send(SessionMessage(error))
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return

    def sent(self, message: t.JSONRPCMessage, tasks: "anyio.abc.TaskGroup") -> None:
        """Notes a message on its way out."""
        if not isinstance(message, t.JSONRPCRequest):
            return
        self._methods[message.id] = message.method
        self._on_its_way.add(message.id)
        if message.params is not None:
            message.params = declared(message.params)
        if message.method == "server/discover":
            self.probed = True
            if self._probe is None:
                # Only the first: the SDK asks again when it already knows that the server is of the new era.
                tasks.start_soon(self._end_probe, message.id)
            self._probe = message.id

    def handed_over(self, message: t.JSONRPCMessage) -> None:
        """The transport has taken a message; unless it reports more, that counts as delivered."""
        if isinstance(message, t.JSONRPCRequest) and not self._reported:
            self.delivered(message.id)

    async def _pump(self, read: MemoryObjectReceiveStream[Incoming], answers: MemoryObjectSendStream[Incoming]) -> None:
        try:
            async with answers:
                async for item in read:
                    if isinstance(item, SessionMessage):
                        self._received(item)
                    await answers.send(item)
                self.closed.set()
                await self._fail_all()
                # The SDK fails what it sends after the end as if that might have arrived; so it learns of no end.
                await anyio.sleep_forever()
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return
        finally:
            self.closed.set()

    async def _fail_all(self) -> None:
        """Nothing more will come: what waits is answered, and says whether it was sent."""
        for request in tuple(self._methods):
            sent = request not in self._on_its_way
            await self.fail(request, t.CONNECTION_CLOSED if sent else NOT_SENT, "Connection closed")

    def _received(self, item: SessionMessage) -> None:
        message = item.message
        if not isinstance(message, t.JSONRPCResponse | t.JSONRPCError):
            return
        if message.id is None and len(self._methods) == 1:
            # An error without an id can only be about the one request that waits.
            [message.id] = self._methods
        ident = "" if message.id is None else _number(message.id)
        method = self._methods.pop(ident, None) or self._methods.pop(message.id or "", None)
        if ident == self._probe:
            self.probed = False
            self.answered_late = method is None
        if method is not None and isinstance(message, t.JSONRPCResponse):
            message.result = mend(method, message.result, self._report)

    async def _end_probe(self, request: t.RequestId) -> None:
        await anyio.sleep(self._probe_timeout)
        if request not in self._methods:
            return
        self.probed = False
        self.unanswered = True
        await self.fail(request, PROBE_UNANSWERED, f"no answer within {self._probe_timeout:g} s")


class _Outgoing:
    """The writable side. What it sends is noted first, so that a reply never comes before its request is known."""

    def __init__(self, stream: Any, wire: Wire, tasks: "anyio.abc.TaskGroup") -> None:
        self._stream = stream
        self._wire = wire
        self._tasks = tasks

    async def send(self, item: SessionMessage) -> None:
        self._wire.sent(item.message, self._tasks)
        if not self._wire.closed.is_set():
            await self._stream.send(item)
            self._wire.handed_over(item.message)
        elif isinstance(item.message, t.JSONRPCRequest):
            await self._wire.fail(item.message.id, NOT_SENT, "Connection closed")

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> "_Outgoing":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _number(ident: t.RequestId) -> t.RequestId:
    """Servers that turn ids into strings answer "7" to 7."""
    return int(ident) if isinstance(ident, str) and ident.isdigit() else ident
