"""Signed tokens of an identity provider: RFC 9068, checked by the keys that it publishes."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any, cast

import jwt

from mewcode.config.schema.serve import JwtSettings
from mewcode.server.identity.jwks import Jwks, KeysUnavailableError
from mewcode.server.identity.known import Known, digest

_log = logging.getLogger(__name__)

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures only: with a shared secret whoever verifies could also sign."""
LONGEST = 16_384
"""Characters of a token."""


class JwtTokens:
    """`settings` has an issuer; without an audience no token is accepted: it may have been meant for another."""

    def __init__(self, settings: JwtSettings, jwks: Jwks) -> None:
        self._settings = settings
        self._jwks = jwks

    async def find(self, token: str) -> Known | None:
        """Who the token names; None for one that is not good. The log says why."""
        if token.count(".") != 2 or len(token) > LONGEST:
            return None
        try:
            claims = await self._claims(token)
        except (jwt.InvalidTokenError, KeysUnavailableError) as error:
            _log.info("a signed token was refused: %s", error)
            return None
        name = _at(claims, self._settings.principal_from)
        if not isinstance(name, str) or not name:
            _log.info("a signed token was refused: it has no claim %s", self._settings.principal_from)
            return None
        return Known(
            name,
            tuple(self._roles(claims)),
            float(claims["exp"]),
            issuer=self._settings.issuer,
            key=f"jwt:{digest(f'{self._settings.issuer} {name}')[:12]}",
            scopes=tuple(_scopes(claims)),
        )

    async def _claims(self, token: str) -> Mapping[str, Any]:
        settings = self._settings
        header = jwt.get_unverified_header(token)
        key = await self._jwks.key(header.get("kid"))
        if key is None:
            raise jwt.InvalidTokenError("no published key fits")
        if settings.audience is None:
            raise jwt.InvalidAudienceError("the setting server.jwt.audience is missing")
        return jwt.decode(
            token,
            key,
            algorithms=list(ALGORITHMS),
            audience=settings.audience,
            issuer=settings.issuer,
            leeway=settings.leeway,
            options={"require": ["exp", "iss", "aud"]},
        )

    def _roles(self, claims: Mapping[str, Any]) -> Iterable[str]:
        """Mapped by the settings; where they map nothing, a value is a role's name itself."""
        settings = self._settings
        values = _words(_at(claims, settings.roles_from)) if settings.roles_from else _scopes(claims)
        for value in values:
            yield from settings.roles.get(value, () if settings.roles else (value,))


def _scopes(claims: Mapping[str, Any]) -> list[str]:
    return _words(claims.get("scope", claims.get("scp")))


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return value.split()
    if isinstance(value, list):
        return [one for one in cast("list[object]", value) if isinstance(one, str)]
    return []


def _at(claims: Mapping[str, Any], path: str) -> Any:
    """A claim by its name; where there is none of that name, dots reach into objects."""
    if path in claims:
        return claims[path]
    value: Any = claims
    for part in path.split("."):
        value = cast("Mapping[str, Any]", value).get(part) if isinstance(value, Mapping) else None
    return value
