"""An HTTP transport under the SDK's client that turns a failed request into one failed call.

A connection error would end the SDK's whole session; an HTTP error would lose its status and its challenge. Both
become JSON-RPC error replies here, with the facts in `data`.
"""

import re
import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx2

from mewcode.mcp.wire import NOT_SENT

BROKEN_OFF = -33011
"""The connection broke after the request was sent: its outcome is unknown."""
HTTP_ERROR = -33012
"""The server answered with an HTTP error and no JSON-RPC body."""
SESSION_LOST = -33013
"""The server does not know our session any more; it did nothing."""
NO_JSON = -33014
"""The server answered 200 with something that is neither JSON nor an event stream."""

_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)
_NO_SESSION = re.compile(
    rb"\b(?:no|not|un\w+|invalid|missing|expired?|terminated|closed)\b[^\n]{0,40}\bsession"
    rb"|\bsession[^\n]{0,40}\b(?:no|not|un\w+|invalid|missing|expired?|terminated|closed)\b",
    re.IGNORECASE,
)
_SHOWN = 300
"""Bytes of a foreign body that are kept for the error."""


class SoftTransport(httpx2.AsyncBaseTransport):
    """Wraps another transport. `endpoint` is the server's URL: other requests (OAuth) pass untouched."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, endpoint: str, on_stream_lost: Callable[[], None]) -> None:
        self._inner = inner
        self._endpoint = httpx2.URL(endpoint)
        self._on_stream_lost = on_stream_lost
        self._streaming = False
        self._failed_streams = 0
        self.last_status: int | None = None
        self.challenge: str | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if not self._is_ours(request):
            return await self._inner.handle_async_request(request)
        try:
            response = await self._inner.handle_async_request(request)
        except httpx2.TransportError as error:
            self.last_status = None
            return self._failed(request, error)
        self.last_status = response.status_code
        if response.status_code in (401, 403):
            self.challenge = response.headers.get("www-authenticate")
        if request.method == "GET":
            return self._noted_stream(response)
        if request.method != "POST":
            return response
        return await self._understood(request, response)

    async def aclose(self) -> None:
        await self._inner.aclose()

    def _is_ours(self, request: httpx2.Request) -> bool:
        ours, url = self._endpoint, request.url
        return (url.scheme, url.host, url.port) == (ours.scheme, ours.host, ours.port) and url.path == ours.path

    def _failed(self, request: httpx2.Request, error: httpx2.TransportError) -> httpx2.Response:
        if request.method != "POST":
            self._stream_failed()
            raise error
        code = NOT_SENT if isinstance(error, _NOT_SENT) else BROKEN_OFF
        return _reply(request, 503, code, _reason(error), {"status": 0, "reason": _reason(error)})

    async def _understood(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        kind = response.headers.get("content-type", "").lower()
        status = response.status_code
        if status in (202, 204) or 300 <= status < 400 or kind.startswith("text/event-stream"):
            return response
        if status < 400 and kind.startswith("application/json"):
            return response
        body = await _start_of(response)
        facts = _facts(response, body)
        if "mcp-session-id" in request.headers and _forgets_session(response, body):
            return _reply(request, 400, SESSION_LOST, "the session has expired", facts)
        if status >= 400 and kind.startswith("application/json") and b'"jsonrpc"' in body:
            return _with_body(response, request, body)
        if status < 400:
            return _reply(request, 400, NO_JSON, f"answered with {kind or 'no content type'} instead of JSON", facts)
        reply = _reply(request, status, HTTP_ERROR, f"HTTP {status} {response.reason_phrase}".strip(), facts)
        for name in ("www-authenticate", "retry-after"):
            if name in response.headers:
                reply.headers[name] = response.headers[name]
        return reply

    def _noted_stream(self, response: httpx2.Response) -> httpx2.Response:
        """The stream for notifications: the SDK gives it up for good after two failures, silently."""
        if response.status_code == 200:
            self._streaming, self._failed_streams = True, 0
        else:
            self._stream_failed()
        return response

    def _stream_failed(self) -> None:
        self._failed_streams += 1
        if self._streaming and self._failed_streams >= 2:
            self._streaming = False
            self._on_stream_lost()


def _forgets_session(response: httpx2.Response, body: bytes) -> bool:
    """The specification has 404 for it; servers also answer 400, 401 or 410 and say so in words."""
    if response.status_code == 404:
        return True
    doubtful = response.status_code in (400, 401, 410) and "www-authenticate" not in response.headers
    return doubtful and _NO_SESSION.search(body) is not None


def _facts(response: httpx2.Response, body: bytes) -> dict[str, Any]:
    return {
        "status": response.status_code,
        "reason": response.reason_phrase,
        "www_authenticate": response.headers.get("www-authenticate"),
        "retry_after": response.headers.get("retry-after"),
        "content_type": response.headers.get("content-type", ""),
        "body": " ".join(body.decode("utf-8", "replace").split())[:_SHOWN],
    }


async def _start_of(response: httpx2.Response) -> bytes:
    """The first bytes of a body, at most 64 KiB, whatever the server goes on to send."""
    kept = b""
    try:
        async for chunk in _chunks(response):
            kept += chunk
            if len(kept) > 65_536:
                break
    except httpx2.TransportError:
        pass
    await response.aclose()
    return kept


def _chunks(response: httpx2.Response) -> AsyncIterator[bytes]:
    """Decoded where the server compressed it."""
    return response.aiter_bytes()


def _reply(request: httpx2.Request, status: int, code: int, why: str, facts: dict[str, Any]) -> httpx2.Response:
    error = {"code": code, "message": why, "data": facts}
    return httpx2.Response(status, request=request, json={"jsonrpc": "2.0", "id": None, "error": error})


def _with_body(response: httpx2.Response, request: httpx2.Request, body: bytes) -> httpx2.Response:
    headers = {
        name: value
        for name, value in response.headers.items()
        if name.lower() not in ("content-length", "content-encoding", "transfer-encoding")
    }
    return httpx2.Response(response.status_code, request=request, headers=headers, content=body)


def _reason(error: BaseException) -> str:
    """What the operating system or TLS said, rather than "All connection attempts failed"."""
    cause: BaseException | None = error
    seen: set[int] = set()
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(cause, ssl.SSLError):
            return f"TLS: {getattr(cause, 'verify_message', '') or cause.reason or cause}"
        if isinstance(cause, OSError) and cause.strerror:
            return f"{type(error).__name__}: {cause.strerror}"
        cause = cause.__cause__ or cause.__context__
    return f"{type(error).__name__}: {error}".rstrip(": ")
