"""The keys that an identity provider signs with, fetched when they are needed and kept for a while."""

import time
from collections.abc import Mapping
from typing import Any, cast

import anyio
import httpx2
from jwt import PyJWK, PyJWKSet
from jwt.exceptions import PyJWKSetError

KEEP_FOR = 3600.0
"""Seconds that keys are used before they are fetched again."""
LONGEST_WITHOUT_PROVIDER = 24 * 3600.0
"""Seconds that keys are used while the provider is away: it may have withdrawn one meanwhile."""
LEAST_PAUSE = 30.0
"""Seconds between two fetches for a key that is not there: an attacker invents as many key ids as he likes."""
TIMEOUT = 5.0
LARGEST = 1 << 20
"""Bytes of a document of the provider."""


class KeysUnavailableError(Exception):
    """The provider could not be asked. The text is for the log."""


class Jwks:
    """`url` may be None: then it is found in the issuer's metadata (OpenID Connect Discovery, RFC 8414)."""

    def __init__(self, issuer: str, url: str | None, client: httpx2.AsyncClient | None = None) -> None:
        self._issuer = issuer.rstrip("/")
        self._url = url
        self._client = client
        self._keys: dict[str | None, PyJWK] = {}
        self._fetched = float("-inf")
        self._tried = float("-inf")
        self._lock = anyio.Lock()

    async def key(self, kid: str | None) -> PyJWK | None:
        """The key of that id; the only key where the token names none. Raises KeysUnavailableError."""
        if time.monotonic() - self._fetched > KEEP_FOR or self._find(kid) is None:
            await self._refresh(kid)
        return self._find(kid)

    def _find(self, kid: str | None) -> PyJWK | None:
        if kid is None:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(kid)

    async def _refresh(self, kid: str | None) -> None:
        async with self._lock:
            now = time.monotonic()
            fresh = now - self._fetched <= KEEP_FOR
            if (fresh and self._find(kid) is not None) or now - self._tried < LEAST_PAUSE:
                return
            self._tried = now
            try:
                self._keys = await self._fetch()
            except KeysUnavailableError:
                if self._keys and now - self._fetched < LONGEST_WITHOUT_PROVIDER:
                    return  # old keys are better than none while the provider is away
                self._keys = {}
                raise
            self._fetched = now

    async def _fetch(self) -> dict[str | None, PyJWK]:
        client = self._client or httpx2.AsyncClient(timeout=TIMEOUT, follow_redirects=False)
        try:
            if self._url is None:
                self._url = await self._discover(client)
            document = await _json(client, self._url)
            keys = PyJWKSet.from_dict(dict(document)).keys
        except PyJWKSetError as error:
            raise KeysUnavailableError(f"{self._url} has no usable keys: {error}") from error
        finally:
            if self._client is None:
                await client.aclose()
        return {key.key_id: key for key in keys}

    async def _discover(self, client: httpx2.AsyncClient) -> str:
        problem = KeysUnavailableError(f"{self._issuer} says nowhere where its keys are")
        for name in ("openid-configuration", "oauth-authorization-server"):
            try:
                found = await _json(client, f"{self._issuer}/.well-known/{name}")
            except KeysUnavailableError as error:
                problem = error
                continue
            url = found.get("jwks_uri")
            if isinstance(url, str) and str(found.get("issuer", "")).rstrip("/") == self._issuer:
                return url
        raise problem


async def _json(client: httpx2.AsyncClient, url: str) -> Mapping[str, Any]:
    try:
        with anyio.fail_after(TIMEOUT):
            response = await client.get(url)
    except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
        raise KeysUnavailableError(f"{url} cannot be reached: {type(error).__name__}") from error
    if response.status_code != 200 or len(response.content) > LARGEST:
        raise KeysUnavailableError(f"{url} answered {response.status_code}")
    try:
        found = response.json()
    except ValueError:
        raise KeysUnavailableError(f"{url} is no JSON") from None
    if not isinstance(found, dict):
        raise KeysUnavailableError(f"{url} is no object")
    return cast("Mapping[str, Any]", found)
