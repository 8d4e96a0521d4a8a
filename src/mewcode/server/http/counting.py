"""Counts HTTP requests by method and status."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mewcode.state import Metrics

_METHODS = frozenset({"GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT", "PATCH"})
"""Others count as one: a client may invent as many as it likes."""


class Counting:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, metrics: Metrics | None) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        metrics = self._metrics
        if scope["type"] != "http" or metrics is None:
            await self._app(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in _METHODS else "other"

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                metrics.request(method, message["status"])
            await send(message)

        await self._app(scope, receive, counted)
