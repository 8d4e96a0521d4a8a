"""Room for everybody: one principal gets a share of the requests in flight and of the sessions, and no more."""

from collections import Counter
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mewcode.server.changes import connection_of

SHARE = 4
"""One principal may take a quarter of what there is."""
_RETRY_AFTER = 1


class Crowd:
    """Counts by principal; `most` is the number of connections that the server takes in all."""

    def __init__(self, most: int) -> None:
        self.share = max(1, most // SHARE)
        self._requests: Counter[str] = Counter()
        self._sessions: Counter[str] = Counter()

    def sessions(self, principal: str) -> int:
        return self._sessions[principal]

    async def remember(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Middleware of the protocol: a session of the old era counts from its first message to its end."""
        user = None if ctx.request is None else ctx.request.scope.get("user")
        if ctx.method == "initialize" and isinstance(user, AuthenticatedUser):
            principal = _name(user)
            self._sessions[principal] += 1
            connection_of(ctx).exit_stack.callback(self._left, self._sessions, principal)
        return await call_next(ctx)

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or answers 429."""
        user = scope.get("user")
        if not isinstance(user, AuthenticatedUser):
            await app(scope, receive, send)
            return
        principal = _name(user)
        if self._requests[principal] >= self.share:
            await _too_many(f"{self.share} requests of yours are in flight")(scope, receive, send)
            return
        if _opens_session(scope) and self._sessions[principal] >= self.share:
            await _too_many(f"{self.share} sessions of yours are open")(scope, receive, send)
            return
        self._requests[principal] += 1
        try:
            await app(scope, receive, send)
        finally:
            self._left(self._requests, principal)

    @staticmethod
    def _left(counts: "Counter[str]", principal: str) -> None:
        counts[principal] -= 1
        if counts[principal] <= 0:
            del counts[principal]


class Shared:
    """ASGI middleware around the endpoint, behind the check of the token."""

    def __init__(self, app: ASGIApp, crowd: Crowd) -> None:
        self._app = app
        self._crowd = crowd

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._crowd.serve(self._app, scope, receive, send)


def _name(user: AuthenticatedUser) -> str:
    return user.access_token.subject or user.access_token.client_id


def _opens_session(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    modern = headers.get("mcp-protocol-version") in MODERN_PROTOCOL_VERSIONS
    return scope["method"] == "POST" and "mcp-session-id" not in headers and not modern


def _too_many(why: str) -> JSONResponse:
    error = {"code": -32000, "message": f"Too many requests: {why}"}
    body = {"jsonrpc": "2.0", "id": None, "error": error}
    return JSONResponse(body, status_code=429, headers={"Retry-After": str(_RETRY_AFTER)})
