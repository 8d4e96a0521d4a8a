"""Waits on this machine for the page that an authorization server leads back to; or for the URL to be pasted."""

from collections.abc import Awaitable, Callable
from types import TracebackType
from urllib.parse import urlsplit

import anyio
import anyio.abc

PATIENCE = 600.0
"""Seconds that a person gets to log in."""
_PAGE = b"You are logged in; you can close this page.\n"
_LONGEST = 16_384
"""Bytes of a request that are read: a redirect has no more."""


class LoginListener:
    """The `LoginPort` of a terminal. Use it as `async with`; it listens on the loopback address only.

    `tell` shows the URL (and may open a browser); `paste` waits for a line of input, None where there is none.
    """

    def __init__(
        self, tell: Callable[[str], None], paste: Callable[[], Awaitable[str]] | None, port: int | None = None
    ) -> None:
        self._tell = tell
        self._paste = paste
        self._port = port or 0
        self._found = anyio.Event()
        self._url = ""
        self._listener: anyio.abc.Listener[anyio.abc.SocketStream] | None = None
        self.redirect_uri = ""

    async def __aenter__(self) -> "LoginListener":
        self._listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=self._port)
        port = self._listener.extra(anyio.abc.SocketAttribute.local_port)  # noqa: S610  no Django here
        self.redirect_uri = f"http://127.0.0.1:{port}/callback"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._listener is not None:
            await self._listener.aclose()

    async def show(self, url: str) -> None:
        self._tell(url)

    async def redirected(self) -> str:
        """The whole URL. Raises TimeoutError after `PATIENCE`."""
        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                if self._listener is not None:
                    tasks.start_soon(self._listener.serve, self._answer)
                if self._paste is not None:
                    tasks.start_soon(self._take_pasted)
                await self._found.wait()
                tasks.cancel_scope.cancel()
        return self._url

    async def _answer(self, stream: anyio.abc.SocketStream) -> None:
        async with stream:
            with anyio.move_on_after(10):
                request = b""
                while b"\r\n" not in request and len(request) < _LONGEST:
                    request += await stream.receive()
                path = request.split(b" ")[1].decode("ascii", "replace") if request.count(b" ") >= 2 else ""
                ours = urlsplit(path).path == "/callback"
                status = b"200 OK" if ours else b"404 Not Found"
                body = _PAGE if ours else b""
                head = b"HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                await stream.send(head % (status, len(body)) + body)
                if ours:
                    self._take(f"http://127.0.0.1{path}")

    async def _take_pasted(self) -> None:
        assert self._paste is not None
        while "code=" not in (line := await self._paste()) and "error=" not in line:
            if not line:
                return
        self._take(line)

    def _take(self, url: str) -> None:
        self._url = url
        self._found.set()
