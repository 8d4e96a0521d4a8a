"""Who calls, and in which session: taken from the connection, never from what the call says of itself."""

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mewcode.calls import Door, Principal
from mewcode.governance import Roles
from mewcode.governance.roles import UNBOUND_ROLE

CONVERSATION = "mewcode/conversation"
"""In `_meta` of a 2026-07-28 request: which of the caller's conversations it belongs to, as there are no sessions."""
ROLES_CLAIM = "mewcode/roles"
"""Where a verified token's roles are kept."""
_LONGEST_CONVERSATION = 128


@dataclass(frozen=True)
class Caller:
    """`lasting` is False where no session stands behind the calls, so that nothing may outlive one of them."""

    principal: Principal
    session: str
    lasting: bool = True


@dataclass(frozen=True)
class Callers:
    """`role` and `name` are those of a caller without a token: over stdio, or on a loopback address with --no-auth."""

    door: Door
    name: str
    role: str | None = None
    process: str = ""

    @classmethod
    def of(cls, door: Door, name: str, role: str | None) -> "Callers":
        return cls(door, name, role, uuid.uuid4().hex[:12])

    def caller(self, ctx: ServerRequestContext[Any, Any], roles: Roles) -> Caller:
        principal = self.principal(roles)
        session = None if ctx.request is None else ctx.request.headers.get("mcp-session-id")
        if self.door is Door.SERVE_STDIO:
            return Caller(principal, _named("stdio", self.process))
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS and session:
            return Caller(principal, _named("http", principal.name, session))
        return Caller(principal, _named("peer", principal.name, _conversation(ctx.meta)), lasting=False)

    def principal(self, roles: Roles) -> Principal:
        """The principal of the current request: of its token, else the one without a token."""
        token = get_access_token()
        if token is not None:
            named = (token.claims or {}).get(ROLES_CLAIM) or ()
            return roles.principal(token.subject or token.client_id, self.door, named)
        if self.role is not None:
            return Principal(self.name, (self.role,), self.door)
        known = roles.principal(self.name, self.door)
        return known if known.roles else Principal(self.name, (UNBOUND_ROLE,), self.door)

    def mark(self, ctx: ServerRequestContext[Any, Any]) -> str:
        """Who a state that travels with the client is bound to."""
        token = get_access_token()
        return f"{self.name if token is None else token.subject} {_conversation(ctx.meta)}"


def _conversation(meta: Mapping[str, Any] | None) -> str:
    value = (meta or {}).get(CONVERSATION)
    return value[:_LONGEST_CONVERSATION] if isinstance(value, str) else ""


def _named(kind: str, *parts: str) -> str:
    """Session ids are told to nobody: whoever knows one of an old-era session could try to use it."""
    return f"{kind}-{hashlib.sha256(chr(0).join(parts).encode('utf-8', 'replace')).hexdigest()[:20]}"
