"""/healthz, /readyz and /metrics."""

from collections.abc import Awaitable, Callable

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from mewcode.server.houses import Houses
from mewcode.server.measuring import Measuring

Unready = Callable[[], Awaitable[str | None]]
"""Why no new work should come here; None where it may."""
_LOOPBACK = ("127.0.0.1", "::1")


def probe_routes(unready: Unready, measuring: Measuring, houses: Houses) -> list[Route]:
    async def healthz(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def readyz(request: Request) -> Response:
        why = await unready()
        return JSONResponse({"status": why or "ready"}, status_code=200 if why is None else 503)

    async def show_metrics(request: Request) -> Response:
        app = houses.current.app
        if measuring.metrics is None or not _may_look(request, set(_operators(houses))):
            return Response(status_code=404)
        await measuring.refresh(app)
        body, media_type = measuring.metrics.render(request.headers.get("accept", ""))
        return Response(body, headers={"content-type": media_type})

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", show_metrics)]


def _operators(houses: Houses) -> list[str]:
    """Principals with a role that may approve."""
    settings = houses.current.app.settings
    return [
        name
        for name, entry in settings.principals.items()
        if any(settings.roles[role].approve for role in entry.roles if role in settings.roles)
    ]


def _may_look(request: Request, operators: set[str]) -> bool:
    """Tools' names stand in the metrics: they are for this machine, and for operators with a token."""
    near = request.client is not None and request.client.host in _LOOPBACK
    if near and not {"forwarded", "x-forwarded-for"} & set(request.headers):
        return True
    user = request.scope.get("user")
    return isinstance(user, AuthenticatedUser) and user.access_token.subject in operators
