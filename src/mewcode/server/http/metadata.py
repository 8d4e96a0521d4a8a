"""OAuth protected-resource metadata (RFC 9728): where clients log in, told to whoever comes without a token."""

from typing import Any

from mcp.server.auth.handlers.metadata import ProtectedResourceMetadataHandler
from mcp.server.auth.middleware.bearer_auth import RequireAuthMiddleware
from mcp.server.auth.routes import build_resource_metadata_url, cors_middleware
from mcp.shared.auth import ProtectedResourceMetadata
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mewcode.server.http.doorkeeper import Doorkeeper


def metadata_route(resource: str, keeper: Doorkeeper) -> Route:
    """404 as long as the settings name no issuer."""

    async def answer(request: Request) -> Response:
        issuer = keeper.current.issuer
        if issuer is None:
            return Response(status_code=404)
        found = ProtectedResourceMetadata(
            resource=AnyHttpUrl(resource), authorization_servers=[AnyHttpUrl(issuer)], resource_name="MewCode"
        )
        return await ProtectedResourceMetadataHandler(found).handle(request)

    path = build_resource_metadata_url(AnyHttpUrl(resource)).path
    return Route(path or "/", endpoint=cors_middleware(answer, ["GET", "OPTIONS"]), methods=["GET", "OPTIONS"])


class RequireToken:
    """ASGI: 401 for whoever has no good token, with the way to one where there is an issuer."""

    def __init__(self, app: ASGIApp, resource: str, keeper: Doorkeeper) -> None:
        url: Any = build_resource_metadata_url(AnyHttpUrl(resource))
        self._with_issuer = RequireAuthMiddleware(app, [], url)
        self._without = RequireAuthMiddleware(app, [])
        self._keeper = keeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        chosen = self._without if self._keeper.current.issuer is None else self._with_issuer
        await chosen(scope, receive, send)
