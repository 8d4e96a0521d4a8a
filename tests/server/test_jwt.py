"""Signed tokens of an identity provider: which are good, what roles they give, how clients learn where to log in."""

import hashlib
import hmac
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from tests.server.clients import PATIENCE, http, serving, settings
from tests.server.provider import AUDIENCE, Provider, running_provider, unsigned

from mewcode.config.schema.serve import JwtSettings
from mewcode.server.identity import jwks as jwks_module
from mewcode.server.identity.jwks import Jwks
from mewcode.server.identity.jwt_tokens import JwtTokens

pytestmark = pytest.mark.anyio


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running_provider() as running:
        yield running


def tokens(provider: Provider, **more: Any) -> JwtTokens:
    named = {"issuer": provider.issuer, "audience": AUDIENCE, **more}
    return JwtTokens(JwtSettings(**named), Jwks(provider.issuer, named.get("jwks_url")))


async def test_a_good_token_says_who_comes_until_when(provider: Provider) -> None:
    ends = int(time.time()) + 60
    known = await tokens(provider).find(provider.token(sub="alice", exp=ends, scope="read write"))
    assert known is not None
    assert (known.principal, known.expires_at, known.scopes) == ("alice", ends, ("read", "write"))


async def test_every_other_token_is_refused(provider: Provider) -> None:
    good = provider.token()
    now = int(time.time())
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    claims = {"iss": provider.issuer, "aud": AUDIENCE, "sub": "alice", "exp": now + 600}
    head, body, signature = good.split(".")
    flipped = ("A" if signature[9] != "A" else "B").join((signature[:9], signature[10:]))
    confused = unsigned(claims, {"alg": "HS256", "kid": "one"}).rstrip(".")
    mac = hmac.new(provider.public_pem(), confused.encode(), hashlib.sha256).digest()
    bad = {
        "wrong issuer": provider.token(iss="https://evil.example"),
        "no issuer": provider.token(iss=None),
        "wrong audience": provider.token(aud="https://other.example/mcp"),
        "no audience": provider.token(aud=None),
        "expired": provider.token(exp=now - 60),
        "without an end": provider.token(exp=None),
        "not yet": provider.token(nbf=now + 600),
        "of another key": provider.token(key=stranger),
        "unknown key": provider.token(kid="two", key=stranger),
        "alg none": unsigned(claims, {"alg": "none", "kid": "one"}),
        "alg none in other letters": unsigned(claims, {"alg": "nOnE"}),
        "public key as a secret": f"{confused}.{jwt.utils.base64url_encode(mac).decode()}",
        "changed signature": ".".join((head, body, flipped)),
        "changed claims": ".".join((head, unsigned({**claims, "sub": "root"}, {}).split(".")[1], signature)),
        "nobody": provider.token(sub=None),
        "no text for a name": provider.token(sub=7),
        "too long": provider.token(pad="x" * 20_000),
        "no token": "a.b.c",
    }
    checked = tokens(provider)
    assert await checked.find(good) is not None
    assert {why: await checked.find(token) for why, token in bad.items()} == dict.fromkeys(bad)


async def test_without_an_audience_in_the_settings_no_token_is_good(provider: Provider) -> None:
    assert await tokens(provider, audience=None).find(provider.token()) is None


async def test_invented_key_ids_do_not_make_the_server_ask_again_and_again(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = tokens(provider)
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for number in range(50):
        assert await checked.find(provider.token(kid=f"invented-{number}", key=stranger)) is None
    assert provider.fetches == 1
    provider.rotate("new")
    assert await checked.find(provider.token(kid="new")) is None  # asked a moment ago
    monkeypatch.setattr(jwks_module, "LEAST_PAUSE", 0.0)
    assert await checked.find(provider.token(kid="new")) is not None
    assert provider.fetches == 2


async def test_keys_last_while_the_provider_is_away_but_not_for_ever(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = tokens(provider)
    assert await checked.find(provider.token()) is not None
    provider.up = False
    monkeypatch.setattr(jwks_module, "KEEP_FOR", 0.0)
    monkeypatch.setattr(jwks_module, "LEAST_PAUSE", 0.0)
    assert await checked.find(provider.token()) is not None
    monkeypatch.setattr(jwks_module, "LONGEST_WITHOUT_PROVIDER", 0.0)
    assert await checked.find(provider.token()) is None


@pytest.mark.parametrize(
    ("mapping", "claims", "roles"),
    [
        ({"roles": {"eng": ["writer"], "all": ["reader"]}}, {"scope": "eng all other"}, ("writer", "reader")),
        ({}, {"scope": "reader"}, ("reader",)),
        ({"roles_from": "groups", "roles": {"eng": ["writer"]}}, {"groups": ["eng"], "scope": "admin"}, ("writer",)),
        ({"roles_from": "realm.roles"}, {"realm": {"roles": ["reader"]}}, ("reader",)),
        ({"roles_from": "https://x/roles"}, {"https://x/roles": "reader"}, ("reader",)),
        ({"roles_from": "groups"}, {"groups": {"eng": True}}, ()),
    ],
)
async def test_scopes_or_a_claim_give_roles(
    provider: Provider, mapping: dict[str, Any], claims: dict[str, Any], roles: tuple[str, ...]
) -> None:
    known = await tokens(provider, **mapping).find(provider.token(**claims))
    assert known is not None
    assert known.roles == roles


async def test_a_client_learns_where_to_log_in_and_then_comes_in_with_its_roles(
    workspace: Path, provider: Provider
) -> None:
    settings(f"""
roles: {{reader: {{tools: [read_file], read: ['**']}}}}
server:
  public_url: "https://mcp.example.com"
  allowed_hosts: ["127.0.0.1"]
  jwt: {{issuer: "{provider.issuer}", audience: "{AUDIENCE}", roles_from: groups, roles: {{eng: [reader]}}}}
""")
    with serving(workspace) as served:
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
            refused = await client.post(
                served.url, json={}, headers={"Authorization": f"Bearer {provider.token(aud='x')}"}
            )
            metadata = (await client.get(f"{served.base}/.well-known/oauth-protected-resource/mcp")).json()
        async with http(served.url, provider.token(groups=["eng"])) as alice:
            names = [tool.name for tool in (await alice.list_tools()).tools]
        async with http(served.url, provider.token(sub="mallory", groups=["local-user", "none"])) as mallory:
            nothing = (await mallory.list_tools()).tools
    assert refused.status_code == 401
    where = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
    assert f'resource_metadata="{where}"' in refused.headers["www-authenticate"]
    assert metadata["resource"] == "https://mcp.example.com/mcp"
    assert [url.rstrip("/") for url in metadata["authorization_servers"]] == [provider.issuer]
    assert names == ["read_file"]
    assert nothing == []


async def test_a_signed_token_of_another_is_refused_in_a_session_but_a_renewed_one_is_not(
    workspace: Path, provider: Provider
) -> None:
    settings(f"""
roles: {{reader: {{tools: [read_file], read: ['**']}}}}
server: {{jwt: {{issuer: "{provider.issuer}", audience: "{AUDIENCE}", jwks_url: "{provider.issuer}/keys"}}}}
""")
    initialize = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    with serving(workspace) as served:
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:

            async def post(token: str, method: str, params: Any = None, session: str = "") -> httpx2.Response:
                headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
                body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
                return await client.post(
                    served.url, json=body, headers={**headers, **({"Mcp-Session-Id": session} if session else {})}
                )

            opened = await post(provider.token(scope="reader"), "initialize", initialize)
            session = opened.headers["mcp-session-id"]
            renewed = await post(provider.token(scope="reader", jti="2"), "tools/list", session=session)
            stolen = await post(provider.token(sub="bob", scope="reader"), "tools/list", session=session)
    assert (opened.status_code, renewed.status_code, stolen.status_code) == (200, 200, 404)
