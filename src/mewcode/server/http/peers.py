"""Whose address a request comes from, for whoever checks its token."""

from contextvars import ContextVar

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend
from starlette.authentication import AuthCredentials
from starlette.requests import HTTPConnection

_address: ContextVar[str] = ContextVar("mewcode_address", default="?")


def caller_address() -> str:
    """Of the request whose token is being checked. Behind a proxy it is the proxy's."""
    return _address.get()


class TokenBackend(BearerAuthBackend):
    """The SDK's, which does not tell the verifier where a token comes from."""

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, AuthenticatedUser] | None:
        _address.set("?" if conn.client is None else conn.client.host)
        return await super().authenticate(conn)
