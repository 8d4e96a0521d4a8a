"""The check of each request's token, as the SDK asks for it, with a record of who came and who was refused."""

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp.server.auth.provider import AccessToken

from mewcode.errors import AuditError
from mewcode.governance.roles import UNBOUND_ROLE
from mewcode.server.callers import ROLES_CLAIM
from mewcode.server.identity.jwt_tokens import JwtTokens
from mewcode.server.identity.known import Known, digest
from mewcode.server.identity.static_tokens import StaticTokens

_log = logging.getLogger(__name__)

SEEN_FOR = 3600.0
"""Seconds after which the coming of the same credential is recorded again."""
MOST_SEEN = 10_000

Note = Callable[[str, str | None, Mapping[str, Any]], Any]
"""Records an event: its kind, the principal, and details; returns an awaitable."""


@dataclass
class Verifier:
    """Implements the SDK's TokenVerifier."""

    tokens: StaticTokens
    jwt: JwtTokens | None
    note: Note
    resource: str | None = None
    _seen: dict[str, float] = field(default_factory=dict[str, float])

    async def verify_token(self, token: str) -> AccessToken | None:
        known = self.tokens.find(token) or (await self.jwt.find(token) if self.jwt else None)
        if known is None:
            await self._note("token_refused", None, {"token_sha256": digest(token)[:16]})
            return None
        await self._came(known)
        claims: dict[str, Any] = {ROLES_CLAIM: list(_grantable(known.roles)), "iss": known.issuer}
        return AccessToken(
            token="",  # nobody needs it any more
            client_id=known.key,
            scopes=list(known.scopes),
            expires_at=None if known.expires_at is None else int(known.expires_at),
            subject=known.principal,
            claims=claims,
        )

    async def _came(self, known: Known) -> None:
        now = time.monotonic()
        if now - self._seen.get(known.key, float("-inf")) < SEEN_FOR:
            return
        if len(self._seen) >= MOST_SEEN:
            self._seen.clear()
        self._seen[known.key] = now
        if not await self._note("login", known.principal, {"credential": known.key, "roles": list(known.roles)}):
            self._seen.pop(known.key, None)

    async def _note(self, kind: str, principal: str | None, details: Mapping[str, Any]) -> bool:
        """Whether it is on record. While the audit is away callers get in, and hear from the gate that nothing runs."""
        try:
            await self.note(kind, principal, details)
        except AuditError as error:
            _log.error("%s of %s is not recorded: %s", kind, principal, error)
            return False
        return True


def _grantable(roles: Iterable[str]) -> Iterable[str]:
    """No token makes anybody the person at the machine."""
    return (role for role in roles if role != UNBOUND_ROLE)
