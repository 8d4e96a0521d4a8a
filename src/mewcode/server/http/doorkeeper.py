"""Who gets in over HTTP, as the settings say now: replaced as a whole when they are read again."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mcp.server.auth.provider import AccessToken, TokenVerifier

from mewcode.config import LoadedSettings
from mewcode.server.http.checks import Accepted


@dataclass(frozen=True)
class DoorSettings:
    """`verifier` is None where everybody may come in. `issuer` is the identity provider that clients log in with, None
    where there is none. `cert` and `key` are the server's own certificate."""

    accepted: Accepted
    verifier: TokenVerifier | None
    issuer: str | None
    cert: Path | None = None
    key: Path | None = None


class Doorkeeper:
    """`read` makes the door's settings from those of the files, and raises where they make no sense. Implements the
    SDK's TokenVerifier."""

    def __init__(self, read: Callable[[LoadedSettings], DoorSettings], loaded: LoadedSettings) -> None:
        self.read = read
        self.current = read(loaded)

    def take(self, settings: DoorSettings) -> None:
        """From the next request on."""
        self.current = settings

    async def verify_token(self, token: str) -> AccessToken | None:
        verifier = self.current.verifier
        return None if verifier is None else await verifier.verify_token(token)
