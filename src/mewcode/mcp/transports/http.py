"""Speaks with a server over Streamable HTTP, or over the older HTTP with server-sent events."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from mewcode.config.header_values import unfit_at
from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.errors import ConnectError
from mewcode.mcp.transports.soft import SoftTransport
from mewcode.mcp.transports.tls import tls_context
from mewcode.mcp.wire import Streams

LARGEST_EVENT = 64 * 1024 * 1024
"""Bytes in one server-sent event; the SDK's own limit is 1 MiB."""


@asynccontextmanager
async def http(
    definition: ServerDefinition,
    auth: httpx2.Auth | None,
    on_stream_lost: Callable[[], None],
    largest_event: int = LARGEST_EVENT,
) -> AsyncGenerator[tuple[AbstractAsyncContextManager[Streams], SoftTransport], None]:
    """The SDK's transport over a client of ours, and the transport that remembers the last status."""
    soft = SoftTransport(_network(definition), definition.url, on_stream_lost)
    client = httpx2.AsyncClient(
        headers=_headers(definition),
        auth=auth,
        # No read timeout: the call's own deadline ends it, and a silent stream of notifications is in order.
        timeout=httpx2.Timeout(30, read=None),
        transport=soft,
    )
    async with client:
        yield streamable_http_client(definition.url, http_client=client, max_sse_event_size=largest_event), soft


def sse(definition: ServerDefinition, auth: httpx2.Auth | None) -> AbstractAsyncContextManager[Streams]:
    """The transport of servers before 2025-03-26."""

    def client(
        headers: dict[str, str] | None = None, timeout: httpx2.Timeout | None = None, auth: httpx2.Auth | None = None
    ) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers=headers, auth=auth, timeout=httpx2.Timeout(30, read=None), transport=_network(definition)
        )

    return sse_client(definition.url, headers=_headers(definition), httpx_client_factory=client, auth=auth)


def _headers(definition: ServerDefinition) -> dict[str, str]:
    """As they go out. Raises ConnectError for one that cannot be sent, without its value."""
    for name, value in definition.headers.items():
        place = unfit_at(value)
        if place is not None:
            raise ConnectError("mcp.unfit_header", final=True, header=name, place=place)
    return {name: value.strip() for name, value in definition.headers.items()}


def _network(definition: ServerDefinition) -> httpx2.AsyncHTTPTransport:
    return httpx2.AsyncHTTPTransport(verify=tls_context(definition.tls), proxy=proxy_for(definition.url))


def proxy_for(url: str) -> str | None:
    """The proxy that the environment (or the system) names for a URL; None for a direct connection.

    A client with a transport of its own does not look at HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY by itself.
    """
    parts = urlsplit(url)
    proxies = getproxies()
    if parts.hostname is None or proxy_bypass(parts.hostname):
        return None
    return proxies.get(parts.scheme) or proxies.get("all")
