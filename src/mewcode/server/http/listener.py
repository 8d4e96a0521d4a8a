"""uvicorn, ended by us: signals are the business of whoever runs it."""

import contextlib
import socket
import ssl
from collections.abc import Callable, Generator
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from mewcode.errors import UsageError
from mewcode.server.http.patience import PatientProtocol
from mewcode.server.options import Address

BACKLOG = 1024
KEEP_ALIVE = 75
"""Seconds that a connection without a request stays open: longer than clients and balancers keep theirs (nginx: 60), or
they would send a request into a connection that is just being closed."""
LAST_WORDS = 2
"""Seconds that open streams have to close once no call is in flight any more."""


class Listener(uvicorn.Server):
    """Leaves signals alone. `ready` is called when connections are taken."""

    ready: Callable[[], None] = staticmethod(lambda: None)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield

    def stop_listening(self) -> None:
        """No new connections; those that stand go on."""
        for server in self.servers:
            server.close()

    def use_certificate(self, cert: Path | None, key: Path | None) -> None:
        """For connections from now on, where TLS is spoken at all."""
        if self.config.ssl is not None and cert is not None:
            self.config.ssl.load_cert_chain(cert, key)


def bind(address: Address) -> socket.socket:
    """Takes connections from now on; they wait until somebody serves. Raises UsageError where the address cannot be
    had."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # Named, as asyncio switches Nagle's algorithm off only where the protocol is: each answer would take 40 ms longer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise UsageError("serve.cannot_listen", host=address.host, port=address.port, why=error.strerror) from error
    return listener


def check_certificate(cert: Path | None, key: Path | None) -> None:
    """Raises UsageError for certificate files that cannot be used."""
    if cert is None:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except OSError as error:  # what ssl raises is one, too
        raise UsageError("serve.tls", cert=cert, key=key, why=error) from error


def listener_of(app: ASGIApp, max_connections: int, cert: Path | None, key: Path | None) -> Listener:
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=max_connections,
        timeout_graceful_shutdown=LAST_WORDS,
        timeout_keep_alive=KEEP_ALIVE,
        backlog=BACKLOG,
        proxy_headers=False,
        ssl_certfile=cert,
        ssl_keyfile=key,
    )
    config.load()
    return Listener(config)
