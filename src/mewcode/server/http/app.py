"""The ASGI application: checks, identity, the MCP endpoint, and what operators ask for."""

from collections.abc import Sequence
from dataclasses import dataclass

from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from mewcode.server.front import Front
from mewcode.server.http.checks import Accepted, Checks
from mewcode.server.http.patience import WholeBody

PATH = "/mcp"


@dataclass(frozen=True)
class HttpParts:
    """`verifier` is None where everybody may come in. `issuer` is the identity provider that clients log in with, for
    the metadata under `resource` (this server's public URL with the path)."""

    accepted: Accepted
    verifier: TokenVerifier | None
    resource: str
    issuer: str | None
    max_body: int
    max_sessions: int
    stateless: bool
    routes: Sequence[BaseRoute] = ()


def build_app(front: Front, parts: HttpParts) -> Starlette:
    manager = StreamableHTTPSessionManager(
        front.server,
        stateless=parts.stateless,
        max_request_body_size=parts.max_body,
        max_sessions=parts.max_sessions,
    )
    endpoint: ASGIApp = StreamableHTTPASGIApp(manager)
    middleware = [Middleware(Checks, accepted=parts.accepted), Middleware(WholeBody)]
    metadata: list[Route] = []
    if parts.verifier is not None:
        middleware.append(Middleware(AuthenticationMiddleware, backend=BearerAuthBackend(parts.verifier)))
        middleware.append(Middleware(AuthContextMiddleware))
        if parts.issuer is not None:
            metadata = create_protected_resource_routes(
                AnyHttpUrl(parts.resource), [AnyHttpUrl(parts.issuer)], resource_name="MewCode"
            )
        described = build_resource_metadata_url(AnyHttpUrl(parts.resource)) if metadata else None
        endpoint = RequireAuthMiddleware(endpoint, [], described)
    return Starlette(
        routes=[Route(PATH, endpoint=endpoint), *metadata, *parts.routes],
        middleware=middleware,
        lifespan=lambda app: manager.run(),
    )
