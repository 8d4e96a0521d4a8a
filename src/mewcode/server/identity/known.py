"""Somebody whose token was found good."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Known:
    """`roles` are those the token gives beside those of the settings. `expires_at` is in seconds since the epoch.
    `key` names the credential (not its holder) in sessions and in the audit."""

    principal: str
    roles: tuple[str, ...] = ()
    expires_at: float | None = None
    issuer: str | None = None
    key: str = ""
    scopes: tuple[str, ...] = ()


def digest(token: str) -> str:
    """How a token is kept and named: it has 256 random bits, so that a plain hash tells nothing of it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
