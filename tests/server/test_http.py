"""`mewcode serve --http`: who gets in, and what each is offered."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from tests.server.clients import ERAS, Served, Shared, environment, http, new_token, serving, shared, text_of

from mcp import MCPError

pytestmark = pytest.mark.anyio

TEAM = """
roles:
  reader: {tools: [read_file, search_code], read: ['**']}
  writer: {tools: ['*'], read: ['**'], write: ['out/**']}
principals:
  alice: {roles: [reader]}
  bob: {roles: [writer]}
"""
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


async def post(served: Served, body: object, **headers: str) -> httpx2.Response:
    async with httpx2.AsyncClient(timeout=120, trust_env=False) as client:
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        return await client.post(served.url, json=body, headers={**HEADERS, **named})


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    with shared(tmp_path_factory.mktemp("team"), TEAM) as running:
        yield running


@pytest.fixture(scope="module")
def everybody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with shared(tmp_path_factory.mktemp("everybody"), "", "--no-auth") as running:
        yield running.served


@pytest.mark.parametrize("era", ERAS)
async def test_each_token_sees_and_calls_what_its_roles_give(team: Shared, era: str) -> None:
    alice, bob = team.token(f"alice-{era}", "--principal", "alice"), team.token(f"laptop-{era}", "--principal", "bob")
    async with http(team.served.url, alice, era) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("read_file", {"path": "a.py"})
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("write_file", {"path": "out/x", "content": "x"})
    async with http(team.served.url, bob, era) as client:
        others = [tool.name for tool in (await client.list_tools()).tools]
    assert names == ["read_file", "search_code"]
    assert "hello" in text_of(result)
    assert {"write_file", "edit_file", "find_files"} <= set(others)


async def test_without_a_token_nobody_comes_in(team: Shared) -> None:
    response = await post(team.served, INITIALIZE)
    wrong = await post(team.served, INITIALIZE, Authorization="Bearer mew_guessed")
    assert response.status_code == wrong.status_code == 401
    assert response.headers["www-authenticate"].startswith("Bearer")


async def test_a_token_without_a_role_may_do_nothing(team: Shared) -> None:
    async with http(team.served.url, team.token("mallory")) as client:
        assert (await client.list_tools()).tools == []


async def test_a_revoked_token_is_out_at_once(team: Shared) -> None:
    token = team.token("lost", "--principal", "alice")
    before = await post(team.served, INITIALIZE, Authorization=f"Bearer {token}")
    command = [sys.executable, "-m", "mewcode", "serve", "token", "revoke", "lost"]
    subprocess.run(command, env={**environment(), "MEWCODE_HOME": str(team.home)}, check=True)
    after = await post(team.served, INITIALIZE, Authorization=f"Bearer {token}")
    assert (before.status_code, after.status_code) == (200, 401)


async def test_a_token_replayed_in_the_session_of_another_is_refused(team: Shared) -> None:
    alice, bob = team.token("thief", "--principal", "alice"), team.token("owner", "--principal", "bob")
    opened = await post(team.served, INITIALIZE, Authorization=f"Bearer {bob}")
    session = opened.headers["mcp-session-id"]
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    stolen = await post(team.served, listing, Authorization=f"Bearer {alice}", Mcp_Session_Id=session)
    assert stolen.status_code == 404
    assert "write_file" not in stolen.text


async def test_tokens_are_kept_as_hashes_only(workspace: Path) -> None:
    token = new_token("alice")
    kept = Path(os.environ["MEWCODE_HOME"]) / "tokens" / "serve.json"
    assert token not in kept.read_text()
    assert kept.stat().st_mode & 0o077 == 0


async def test_foreign_hosts_and_origins_are_turned_away(everybody: Served) -> None:
    good = await post(everybody, INITIALIZE)
    host = await post(everybody, INITIALIZE, Host="evil.example")
    origin = await post(everybody, INITIALIZE, Origin="https://evil.example")
    own = await post(everybody, INITIALIZE, Origin=everybody.base)
    assert (good.status_code, host.status_code, origin.status_code, own.status_code) == (200, 421, 403, 200)


async def test_a_body_beyond_the_limit_is_refused(everybody: Served) -> None:
    response = await post(everybody, {**INITIALIZE, "padding": "x" * (5 << 20)})
    assert response.status_code == 413


async def test_headers_that_say_something_else_than_the_body_are_refused(everybody: Served) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    params = {"name": "read_file", "arguments": {"path": "a.py"}, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call"}
    good = await post(everybody, body, **headers, Mcp_Name="read_file")
    wrong = await post(everybody, body, **headers, Mcp_Name="search_code")
    method = await post(everybody, body, **{**headers, "Mcp_Method": "tools/list"}, Mcp_Name="read_file")
    unnamed = await post(everybody, body, **headers)
    assert good.status_code == 200
    for refused in (wrong, method, unnamed):
        assert refused.status_code == 400
        assert refused.json()["error"]["code"] == -32020


def test_without_tokens_only_loopback_addresses_are_served(workspace: Path) -> None:
    command = [sys.executable, "-m", "mewcode", "serve", "--http", "0.0.0.0:0", "--no-auth"]
    refused = subprocess.run(command, env=environment(), cwd=workspace, capture_output=True, text=True, timeout=120)
    assert refused.returncode == 2
    assert "loopback" in refused.stderr


async def test_probes_answer_and_sigterm_ends_it_in_order(workspace: Path) -> None:
    with serving(workspace, "--no-auth") as served:
        async with httpx2.AsyncClient(timeout=120, trust_env=False) as client:
            health = await client.get(f"{served.base}/healthz")
            ready = await client.get(f"{served.base}/readyz")
        assert (health.status_code, ready.status_code) == (200, 200)
        assert served.end() == 0
