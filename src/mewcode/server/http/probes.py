"""/healthz, /readyz and /metrics."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from mewcode.state import Metrics

Unready = Callable[[], Awaitable[str | None]]
"""Why no new work should come here; None where it may."""


def probe_routes(
    unready: Unready, metrics: Metrics | None, refresh: Callable[[Metrics], Awaitable[None]]
) -> list[Route]:
    """`refresh` writes states into the metrics that nobody tells them of."""

    async def healthz(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def readyz(request: Request) -> Response:
        why = await unready()
        return JSONResponse({"status": why or "ready"}, status_code=200 if why is None else 503)

    async def show_metrics(request: Request) -> Response:
        assert metrics is not None
        await refresh(metrics)
        body, media_type = metrics.render(request.headers.get("accept", ""))
        return Response(body, headers={"content-type": media_type})

    routes = [Route("/healthz", healthz), Route("/readyz", readyz)]
    return routes if metrics is None else [*routes, Route("/metrics", show_metrics)]
