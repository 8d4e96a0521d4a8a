"""Ends connections that do not get to the point: uvicorn waits for a request's head without end."""

import asyncio
from typing import Any

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_WITHIN = 20.0
"""Seconds from the first byte (or the connection) to the end of a request's head."""
BODY_WITHIN = 60.0
"""Seconds that the whole body of a request may take."""


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP/1.1, with an end to the wait for each request."""

    _head: "asyncio.TimerHandle | None" = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        cycle: Any = self.cycle  # None before the first request, whatever its type says
        idle = cycle is None or cycle.response_complete
        if idle and self._head is None:
            self._expect()
        super().data_received(data)
        if self.cycle is not cycle:
            self._arrived()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def _expect(self) -> None:
        self._head = asyncio.get_running_loop().call_later(HEAD_WITHIN, self._give_up)

    def _arrived(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _give_up(self) -> None:
        self._head = None
        if not self.transport.is_closing():
            self.transport.close()


class WholeBody:
    """ASGI middleware: a body that trickles in is given up as if the client had left."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        ends = anyio.current_time() + BODY_WITHIN
        whole = False

        async def bounded() -> Message:
            nonlocal whole
            if whole:
                return await receive()
            with anyio.move_on_after(max(0.0, ends - anyio.current_time())):
                message = await receive()
                whole = not message.get("more_body", False)
                return message
            return {"type": "http.disconnect"}

        await self._app(scope, bounded, send)
