"""Checks before anything else looks at a request: the Host and the Origin it names (DNS rebinding, other sites)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mewcode.server.options import Address

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - recognised, not bound


@dataclass(frozen=True)
class Accepted:
    """Hosts without a port are accepted with any. None accepts every host: only where tokens are required, and no
    name is known under which clients come."""

    hosts: frozenset[str] | None
    origins: frozenset[str]

    @classmethod
    def of(
        cls, address: Address, public_url: str | None, hosts: Iterable[str], origins: Iterable[str], *, local: bool
    ) -> "Accepted":
        """`local` is True where loopback names count as this server's own."""
        named = {host.lower() for host in hosts}
        own = {origin.lower().rstrip("/") for origin in origins}
        if public_url:
            parts = urlsplit(public_url)
            named.add(parts.netloc.lower())
            own.add(f"{parts.scheme}://{parts.netloc}".lower())
        if local:
            named.update(LOOPBACK)
            own.update(f"{scheme}://{name}" for scheme in ("http", "https") for name in LOOPBACK)
        elif address.host not in EVERYWHERE:
            named.add(address.host.lower() if ":" not in address.host else f"[{address.host.lower()}]")
        return cls(frozenset(named) if named else None, frozenset(own))

    def takes_host(self, host: str) -> bool:
        if self.hosts is None:
            return True
        return host in self.hosts or _without_port(host) in self.hosts

    def takes_origin(self, origin: str) -> bool:
        return origin in self.origins or _without_port(origin) in self.origins


class Checks:
    """ASGI middleware. 421 for a foreign Host, 403 for a foreign Origin. `accepted` says what is accepted now."""

    def __init__(self, app: ASGIApp, accepted: Callable[[], Accepted]) -> None:
        self._app = app
        self._accepted = accepted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refusal := self._refusal(Headers(scope=scope))) is not None:
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _refusal(self, headers: Headers) -> PlainTextResponse | None:
        hosts, origins, accepted = headers.getlist("host"), headers.getlist("origin"), self._accepted()
        if len(hosts) != 1 or not accepted.takes_host(hosts[0].lower()):
            return PlainTextResponse("Invalid Host header", status_code=421)
        if len(origins) > 1 or not all(accepted.takes_origin(origin.lower()) for origin in origins):
            return PlainTextResponse("Invalid Origin header", status_code=403)
        return None


def _without_port(text: str) -> str:
    head, colon, port = text.rpartition(":")
    return head if colon and port.isdecimal() else text
