"""Ends connections that do not get to the point: uvicorn waits for a request's head without end."""

import asyncio
from typing import Any, cast

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from mewcode.server.http.gathered import Gathering

HEAD_WITHIN = 20.0
"""Seconds from the first byte (or the connection) to the end of a request's head."""
SPARE = 10
"""Room for new connections is kept: a tenth of them all."""
BODY_WITHIN = 60.0
"""Seconds that the whole body of a request may take."""


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP/1.1, with an end to the wait for each request."""

    _head: "asyncio.TimerHandle | None" = None
    _quiet_since = 0.0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(cast("Any", Gathering(transport, self.loop)))
        self._quiet_since = self.loop.time()
        self._make_room()
        self._expect()

    def data_received(self, data: bytes) -> None:
        cycle: Any = self.cycle  # None before the first request, whatever its type says
        if self.idle and self._head is None:
            self._expect()
        super().data_received(data)
        if self.cycle is not cycle:
            self._arrived()

    @property
    def idle(self) -> bool:
        """Whether no request is being answered."""
        cycle: Any = self.cycle
        return cycle is None or cycle.response_complete

    @property
    def unheard(self) -> bool:
        """Whether no request has come yet."""
        cycle: Any = self.cycle
        return cycle is None

    def on_response_complete(self) -> None:
        self._quiet_since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def _make_room(self) -> None:
        """Connections that wait for nothing must not keep others out: near the limit the one that has been quiet
        longest goes; where many have never sent a whole request, one of those, before anybody who is served here."""
        most = self.config.limit_concurrency
        standing = [
            one for one in self.connections if isinstance(one, PatientProtocol) and not one.transport.is_closing()
        ]
        if most is None or len(standing) <= most - max(1, most // SPARE):
            return
        quiet = [one for one in standing if one.idle and one is not self]
        strangers = [one for one in quiet if one.unheard]
        if len(strangers) > most // SPARE:
            quiet = strangers
        if quiet:
            min(quiet, key=lambda one: one._quiet_since)._give_up()

    def _expect(self) -> None:
        self._head = asyncio.get_running_loop().call_later(HEAD_WITHIN, self._give_up)

    def _arrived(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _give_up(self) -> None:
        self._arrived()
        # At once, not when it has been closed: else uvicorn counts it meanwhile, and turns others away.
        self.connections.discard(self)
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
