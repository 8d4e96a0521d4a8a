"""The ASGI application: checks, identity, the MCP endpoint, and what operators ask for."""

from collections.abc import Sequence
from dataclasses import dataclass

from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from mewcode.server.front import Front
from mewcode.server.http.checks import Checks
from mewcode.server.http.counting import Counting
from mewcode.server.http.crowd import Crowd, Shared
from mewcode.server.http.doorkeeper import Doorkeeper
from mewcode.server.http.metadata import RequireToken, metadata_route
from mewcode.server.http.patience import WholeBody
from mewcode.server.http.peers import TokenBackend
from mewcode.state import Metrics

PATH = "/mcp"


@dataclass(frozen=True)
class HttpParts:
    """`resource` is this server's public URL with the path. `session_idle` is in seconds."""

    keeper: Doorkeeper
    resource: str
    max_body: int
    max_sessions: int
    session_idle: float
    stateless: bool
    metrics: Metrics | None = None
    routes: Sequence[BaseRoute] = ()


def build_app(front: Front, parts: HttpParts) -> Starlette:
    manager = StreamableHTTPSessionManager(
        front.server,
        stateless=parts.stateless,
        max_request_body_size=parts.max_body,
        max_sessions=parts.max_sessions,
        session_idle_timeout=parts.session_idle,
    )
    crowd = Crowd(parts.max_sessions)
    front.server.middleware.insert(0, crowd.remember)
    endpoint: ASGIApp = Shared(StreamableHTTPASGIApp(manager), crowd)
    keeper = parts.keeper
    middleware = [
        Middleware(Counting, metrics=parts.metrics),
        Middleware(Checks, accepted=lambda: keeper.current.accepted),
        Middleware(WholeBody),
    ]
    metadata: list[Route] = []
    if keeper.current.verifier is not None:
        middleware.append(Middleware(AuthenticationMiddleware, backend=TokenBackend(keeper)))
        middleware.append(Middleware(AuthContextMiddleware))
        metadata = [metadata_route(parts.resource, keeper)]
        endpoint = RequireToken(endpoint, parts.resource, keeper)
    return Starlette(
        routes=[Route(PATH, endpoint=endpoint), *metadata, *parts.routes],
        middleware=middleware,
        lifespan=lambda app: manager.run(),
    )
