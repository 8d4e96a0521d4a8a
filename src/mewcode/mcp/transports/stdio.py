"""Speaks with a server over the standard input and output of its process."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol, cast

import anyio
import anyio.to_thread
import mcp_types as t
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from mewcode.mcp.repair import Report
from mewcode.mcp.transports.framing import LONGEST_LINE, Lines, Unreadable, ids_in, parse
from mewcode.mcp.transports.process import ServerProcess
from mewcode.mcp.transports.stderr import StandardError
from mewcode.mcp.wire import UNREADABLE_REPLY, Incoming, Streams

CHUNK = 256 * 1024
LARGE = 1024 * 1024
"""Bytes of a line above which it is parsed in a thread, so that the loop stays free."""
_MEMBERS = frozenset({"id", "method", "params", "result", "error"})
"""All that a message may have besides its version, which some servers leave out."""
DRAIN = 0.5
"""Seconds to read on after the process has ended: its children may hold the pipe open for ever."""


class Pending(Protocol):
    """Who waits for replies: `Wire`."""

    @property
    def pending(self) -> Mapping[t.RequestId, str]: ...

    async def fail(self, request: t.RequestId, code: int, why: str) -> None: ...

    def report_deliveries(self) -> None: ...

    def delivered(self, request: t.RequestId) -> None: ...


@asynccontextmanager
async def stdio(
    server: ServerProcess, errors: StandardError, waiting: Pending, report: Report, longest_line: int = LONGEST_LINE
) -> AsyncGenerator[Streams, None]:
    """Streams of messages over a running process, which is stopped at the end."""
    arrived, incoming = anyio.create_memory_object_stream[Incoming](0)
    outgoing, leaving = anyio.create_memory_object_stream[SessionMessage](0)
    waiting.report_deliveries()
    reader = _Reader(server, arrived, waiting, report, longest_line)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(reader.run)
            tasks.start_soon(_write, server, leaving, waiting)
            tasks.start_soon(_keep_errors, server, errors)
            try:
                yield incoming, outgoing
            finally:
                await server.stop()
                tasks.cancel_scope.cancel()
    finally:
        for stream in (arrived, incoming, outgoing, leaving):
            stream.close()


class _Reader:
    def __init__(
        self,
        server: ServerProcess,
        arrived: MemoryObjectSendStream[Incoming],
        waiting: Pending,
        report: Report,
        longest_line: int,
    ) -> None:
        self._process = server.process
        self._arrived = arrived
        self._waiting = waiting
        self._report = report
        self._lines = Lines(longest_line)

    async def run(self) -> None:
        """Reads until the output ends, or the process has ended and what it left is read."""
        async with self._arrived:
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._stop_after_exit, tasks.cancel_scope)
                    await self._read()
                    tasks.cancel_scope.cancel()

    async def _stop_after_exit(self, scope: anyio.CancelScope) -> None:
        await self._process.wait()
        scope.deadline = anyio.current_time() + DRAIN

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while True:
            try:
                chunk = await self._process.stdout.receive(CHUNK)
            except anyio.EndOfStream:
                break
            for line in self._lines.feed(chunk):
                await self._line(line)
        for line in self._lines.end():
            await self._line(line)

    async def _line(self, line: bytes | Unreadable) -> None:
        if isinstance(line, Unreadable):
            return await self._unreadable(line)
        large = len(line) > LARGE
        value = await anyio.to_thread.run_sync(parse, line) if large else parse(line)
        if isinstance(value, Unreadable):
            return await self._unreadable(value)
        if value is None:
            return None
        for message in cast("list[Any]", value) if isinstance(value, list) else [value]:
            await self._message(message, line)
        return None

    async def _message(self, value: Any, line: bytes) -> None:
        if isinstance(value, dict):
            members = cast("dict[str, Any]", value)
            if "jsonrpc" not in members and not members.keys() <= _MEMBERS:
                # A record of a log may have an id, an error or a method as well.
                return await self._unreadable(Unreadable("no JSON-RPC message", line[:200].decode("utf-8", "replace")))
            if "result" in members and not isinstance(members["result"], dict) and "method" not in members:
                members["result"] = {}
            members.setdefault("jsonrpc", "2.0")
        try:
            message = t.jsonrpc_message_adapter.validate_python(value, by_name=False)
        except ValidationError:
            ids = _ids(value) or ids_in(line)
            return await self._unreadable(Unreadable("no JSON-RPC message", line[:200].decode("utf-8", "replace"), ids))
        await self._arrived.send(SessionMessage(message))
        return None

    async def _unreadable(self, line: Unreadable) -> None:
        """Reports it once, and fails the request that it must have been the answer to."""
        lost = [ident for ident in line.ids if ident in self._waiting.pending]
        broken_error = '"jsonrpc"' in line.start and '"error"' in line.start
        if broken_error and line.ids == () and len(self._waiting.pending) == 1:
            lost = list(self._waiting.pending)
        if not lost:
            self._report(f"it writes to standard output what is no message: {line.start.strip()[:80]!r}")
        for ident in lost[:1]:
            why = f"the reply could not be read: {line.why}"
            self._report(why)
            await self._waiting.fail(ident, UNREADABLE_REPLY, why)


def _ids(value: Any) -> tuple[int | str, ...]:
    ident = cast("dict[str, Any]", value).get("id") if isinstance(value, dict) else None
    return (ident,) if isinstance(ident, int | str) else ()


async def _write(server: ServerProcess, leaving: MemoryObjectReceiveStream[SessionMessage], waiting: Pending) -> None:
    """Writes until the server takes nothing more. What it did not take whole, it cannot have acted on."""
    assert server.process.stdin is not None
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        async with leaving:
            async for item in leaving:
                line = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                await server.process.stdin.send(line.encode("utf-8", "replace") + b"\n")
                if isinstance(item.message, t.JSONRPCRequest):
                    waiting.delivered(item.message.id)


async def _keep_errors(server: ServerProcess, errors: StandardError) -> None:
    assert server.process.stderr is not None
    with suppress(anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
        while True:
            errors.feed(await server.process.stderr.receive(CHUNK))
