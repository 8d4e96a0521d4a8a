"""The logins of the conformance suite: the person is a program that follows the redirect."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2

from mewcode.mcp.definition import OAuthChoice, ServerDefinition

PATIENCE = 120.0
"""Seconds for a page of the suite's own."""
CLIENT_METADATA = "https://conformance-test.local/client-metadata.json"
"""The client id metadata document that the suite's authorization servers know."""


@dataclass
class Memory:
    """Keeps secrets for the length of one scenario."""

    values: dict[str, str] = field(default_factory=dict[str, str])

    async def get(self, name: str) -> str | None:
        return self.values.get(name)

    async def set(self, name: str, value: str) -> None:
        self.values[name] = value

    async def delete(self, name: str) -> bool:
        return self.values.pop(name, None) is not None


@dataclass
class Visitor:
    """Opens the page and takes the address that it redirects to."""

    redirect_uri: str = "http://localhost:3000/callback"
    _location: str = ""

    async def show(self, url: str) -> None:
        client = httpx2.AsyncClient(timeout=PATIENCE)
        async with client:
            response = await client.get(url, follow_redirects=False)
        self._location = response.headers.get("location", "")

    async def redirected(self) -> str:
        return self._location


@dataclass(frozen=True)
class ScenarioLogin:
    """Gives each scenario the credentials that it is about."""

    scenario: str
    context: Mapping[str, Any]
    secrets: Memory = field(default_factory=Memory)

    async def auth_for(self, definition: ServerDefinition) -> httpx2.Auth | None:
        from mewcode.mcp.oauth import Keep, SoftAuth, asking_login

        kind = self.scenario.removeprefix("auth/")
        keep = Keep(definition, self.secrets)
        if kind == "client-credentials-jwt":
            return SoftAuth(self._signed(definition, keep))
        if kind == "enterprise-managed-authorization":
            return SoftAuth(await self._assertion(definition, keep))
        grant = "client_credentials" if kind.startswith("client-credentials") else "authorization_code"
        choice = OAuthChoice(
            client_id=self.context.get("client_id"),
            client_secret=self.context.get("client_secret"),
            grant=grant,
            client_metadata_url=CLIENT_METADATA,
        )
        return SoftAuth(asking_login(replace(definition, oauth=choice), self.secrets, Visitor()))

    def _signed(self, definition: ServerDefinition, keep: Any) -> httpx2.Auth:
        from mcp.client.auth.extensions.client_credentials import PrivateKeyJWTOAuthProvider, SignedJWTParameters

        client = self.context["client_id"]
        signing = SignedJWTParameters(
            issuer=client,
            subject=client,
            signing_algorithm=self.context.get("signing_algorithm", "ES256"),
            signing_key=self.context["private_key_pem"],
        )
        return PrivateKeyJWTOAuthProvider(definition.url, keep, client, signing.create_assertion_provider())

    async def _assertion(self, definition: ServerDefinition, keep: Any) -> httpx2.Auth:
        """The company's identity provider gives an assertion for the server (SEP-990)."""
        from mcp.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider

        return IdentityAssertionOAuthProvider(
            definition.url,
            keep,
            self.context["client_id"],
            self.context["client_secret"],
            issuer=await _issuer_of(definition.url),
            assertion_provider=self._exchange,
            token_endpoint_auth_method="client_secret_basic",  # noqa: S106  the name of a method
        )

    async def _exchange(self, audience: str, resource: str) -> str:
        """Token exchange (RFC 8693) of the identity token for an assertion."""
        form = {
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "requested_token_type": "urn:ietf:params:oauth:token-type:id-jag",
            "audience": audience,
            "resource": resource,
            "subject_token": self.context["idp_id_token"],
            "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
            "client_id": self.context["idp_client_id"],
        }
        client = httpx2.AsyncClient(timeout=PATIENCE)
        async with client:
            answer = await client.post(self.context["idp_token_endpoint"], data=form)
        return str(answer.json()["access_token"])


async def _issuer_of(url: str) -> str:
    """The authorization server that the suite's server names (RFC 9728). In earnest the issuer would be configured."""
    server = httpx2.URL(url)
    metadata = server.copy_with(path=f"/.well-known/oauth-protected-resource{server.path}")
    client = httpx2.AsyncClient(timeout=PATIENCE)
    async with client:
        answer = await client.get(metadata)
    return str(answer.json()["authorization_servers"][0])
