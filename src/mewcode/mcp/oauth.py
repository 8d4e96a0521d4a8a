"""OAuth 2.1 through the SDK's providers, with logins that outlive this process. Importing this imports the SDK."""

import json
import time
from collections.abc import AsyncGenerator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
)
from pydantic import AnyUrl, ValidationError

from mewcode.mcp.definition import OAuthChoice, ServerDefinition
from mewcode.mcp.errors import McpError
from mewcode.mcp.logins import LoginPort, SecretPort, secret_name
from mewcode.mcp.shapes import as_object

EARLY = 30.0
"""Seconds before its end at which a token is refreshed: it has to last for the request, too."""
ANY_REDIRECT = "http://127.0.0.1/callback"
"""Stands in the metadata of logins that never ask; a refresh does not use it."""


class LoginNeededError(McpError):
    """A person has to log in (again)."""


class Keep:
    """The SDK's TokenStorage over one secret: tokens with their end, the registered client, the server's metadata.

    The SDK's own storage forgets when a token ends and where it is refreshed, so that after a restart an expired token
    sends the person to the browser although it could be refreshed.
    """

    def __init__(self, definition: ServerDefinition, secrets: SecretPort) -> None:
        self._name = secret_name(definition)
        self._secrets = secrets
        self.metadata: OAuthMetadata | None = None
        self.ends_at: float | None = None

    async def get_tokens(self) -> OAuthToken | None:
        saved = await self._load()
        self.ends_at = float(saved["ends_at"]) if saved.get("ends_at") else None
        try:
            if saved.get("metadata"):
                self.metadata = OAuthMetadata.model_validate(saved["metadata"])
            return OAuthToken.model_validate(saved["tokens"]) if saved.get("tokens") else None
        except ValidationError:
            return None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.ends_at = time.time() + tokens.expires_in if tokens.expires_in else None
        metadata = self.metadata.model_dump(mode="json", exclude_none=True) if self.metadata else None
        await self._save(tokens=tokens.model_dump(mode="json"), ends_at=self.ends_at, metadata=metadata)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        saved = await self._load()
        try:
            return OAuthClientInformationFull.model_validate(saved["client"]) if saved.get("client") else None
        except ValidationError:
            return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        await self._save(client=client_info.model_dump(mode="json", exclude_none=True))

    async def _load(self) -> dict[str, Any]:
        text = await self._secrets.get(self._name)
        try:
            return dict(as_object(json.loads(text))) if text else {}
        except ValueError:
            return {}

    async def _save(self, **changed: object) -> None:
        await self._secrets.set(self._name, json.dumps({**await self._load(), **changed}))


class LastingProvider(OAuthClientProvider):
    """The SDK's provider, which on its first use remembers what an earlier process knew."""

    keep: Keep

    async def _initialize(self) -> None:
        await super()._initialize()
        self.context.oauth_metadata = self.context.oauth_metadata or self.keep.metadata
        if self.keep.ends_at is not None:
            self.context.token_expiry_time = self.keep.ends_at - EARLY

    async def _handle_token_response(self, response: httpx2.Response) -> None:
        self.keep.metadata = self.context.oauth_metadata
        await super()._handle_token_response(response)

    async def _handle_refresh_response(self, response: httpx2.Response) -> bool:
        self.keep.metadata = self.context.oauth_metadata
        return await super()._handle_refresh_response(response)


class SoftAuth(httpx2.Auth):
    """A login that fails costs one request (the server's own 401 comes back), not the whole session."""

    def __init__(self, inner: httpx2.Auth) -> None:
        self._inner = inner
        self.error: Exception | None = None

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        flow = self._inner.async_auth_flow(request)
        try:
            outgoing = await flow.__anext__()
            while True:
                outgoing = await flow.asend((yield outgoing))
        except StopAsyncIteration:
            return
        except (McpError, OAuthFlowError, OAuthTokenError, OAuthRegistrationError, ValidationError) as error:
            self.error = error
            yield request
        finally:
            await flow.aclose()


def stored_login(definition: ServerDefinition, secrets: SecretPort) -> httpx2.Auth:
    """Credentials that are refreshed but never ask: where a person is needed, the server's 401 stands."""
    choice = definition.oauth or OAuthChoice()
    if choice.grant == "client_credentials":
        return SoftAuth(_client_credentials(definition, choice, Keep(definition, secrets)))
    return SoftAuth(_provider(definition, choice, Keep(definition, secrets), None))


def asking_login(definition: ServerDefinition, secrets: SecretPort, person: LoginPort) -> httpx2.Auth:
    """Credentials whose first use asks the person."""
    choice = definition.oauth or OAuthChoice()
    if choice.grant == "client_credentials":
        return _client_credentials(definition, choice, Keep(definition, secrets))
    return _provider(definition, choice, Keep(definition, secrets), person)


def _client_credentials(definition: ServerDefinition, choice: OAuthChoice, keep: Keep) -> httpx2.Auth:
    if not choice.client_id or not choice.client_secret:
        raise LoginNeededError("mcp.no_client_secret", server=definition.name)
    scope = " ".join(choice.scopes) or None
    return ClientCredentialsOAuthProvider(definition.url, keep, choice.client_id, choice.client_secret, scope=scope)


def _provider(
    definition: ServerDefinition, choice: OAuthChoice, keep: Keep, person: LoginPort | None
) -> OAuthClientProvider:
    async def show(url: str) -> None:
        if person is None:
            raise LoginNeededError("mcp.login_again", server=definition.name, login=definition.login_command)
        if not safe_to_open(url):
            raise LoginNeededError("mcp.unsafe_login_page", server=definition.name, url=url)
        await person.show(url)

    async def redirected() -> AuthorizationCodeResult:
        if person is None:
            raise LoginNeededError("mcp.login_again", server=definition.name, login=definition.login_command)
        return code_in(await person.redirected(), definition.name)

    redirect = AnyUrl(person.redirect_uri if person else ANY_REDIRECT)
    metadata = OAuthClientMetadata(
        client_name="MewCode", redirect_uris=[redirect], scope=" ".join(choice.scopes) or None
    )
    provider = LastingProvider(definition.url, metadata, keep, show, redirected, choice.client_metadata_url)
    provider.keep = keep
    if choice.client_id:
        provider.context.storage = _Registered(keep, choice, redirect)
    return provider


class _Registered:
    """Storage for a client that was registered by hand: its id and secret come from the settings."""

    def __init__(self, keep: Keep, choice: OAuthChoice, redirect: AnyUrl) -> None:
        self.get_tokens = keep.get_tokens
        self.set_tokens = keep.set_tokens
        self._client = OAuthClientInformationFull(
            client_id=choice.client_id or "",
            client_secret=choice.client_secret,
            redirect_uris=[redirect],
            token_endpoint_auth_method="client_secret_basic" if choice.client_secret else "none",
        )

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        return


def safe_to_open(url: str) -> bool:
    """Whether a page that a server names may be opened: the web, never a file or a program's own scheme."""
    parts = urlsplit(url)
    local = parts.hostname in ("127.0.0.1", "localhost", "::1")
    return parts.scheme == "https" or (parts.scheme == "http" and local)


def code_in(redirected: str, server: str) -> AuthorizationCodeResult:
    """What the authorization server sent back in the URL. Raises LoginNeededError when it refused."""
    query = parse_qs(urlsplit(redirected.strip()).query)
    if "error" in query:
        why = " ".join([*query["error"], *query.get("error_description", [])])
        raise LoginNeededError("mcp.login_refused", server=server, why=why)
    if "code" not in query:
        raise LoginNeededError("mcp.no_code", server=server)
    first = {name: values[0] for name, values in query.items()}
    return AuthorizationCodeResult(code=first["code"], state=first.get("state"), iss=first.get("iss"))
