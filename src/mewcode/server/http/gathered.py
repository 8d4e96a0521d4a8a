"""What is written in one turn of the event loop goes out in one piece: uvicorn writes an answer's head and its body one
by one, which costs a system call more here, and wakes the client twice."""

import asyncio
from typing import Any

AT_ONCE = 65_536
"""Bytes that are not held back for company."""


class Gathering:
    """A transport around another. What it does not know itself is the other's."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> None:
        if not data:
            return
        if not self._held:
            self._loop.call_soon(self.flush)
        self._held.append(data)
        self._size += len(data)
        if self._size >= AT_ONCE:
            self.flush()

    def flush(self) -> None:
        if not self._held:
            return
        held, self._held, self._size = self._held, [], 0
        self._transport.write(held[0] if len(held) == 1 else b"".join(held))

    def close(self) -> None:
        self.flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
