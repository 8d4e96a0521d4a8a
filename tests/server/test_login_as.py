"""`mewcode mcp login SERVER --as PRINCIPAL`: a login by OAuth that the server then uses for that principal alone."""

import re
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from tests.mcp.oauth_server import guarded
from tests.server.clients import PATIENCE, environment, http, kind_of, new_token, serving, settings, text_of

pytestmark = pytest.mark.anyio

TEAM = """
roles: {{dev: {{tools: ["mcp_*"]}}}}
principals: {{alice: {{roles: [dev]}}, bob: {{roles: [dev]}}}}
permissions: [{{rule: "mcp_*(*)", effect: allow}}]
mcp_servers:
  tickets: {{url: "{url}", credentials: principal}}
  wiki: {{url: "{url}"}}
"""


def mewcode(*arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "mewcode", "mcp", *arguments]
    return subprocess.Popen(command, env=environment(), stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def log_in(principal: str) -> int:
    """As somebody does who opens the page that the command names; its exit code."""
    process = mewcode("login", "tickets", "--as", principal, "--no-browser")
    assert process.stderr is not None
    said = ""
    while (page := re.search(r"http://\S+/authorize\S*", said)) is None:
        line = process.stderr.readline()
        assert line, f"it ended: {said}"
        said += line
    with httpx2.Client(trust_env=False, timeout=PATIENCE, follow_redirects=True) as browser:
        browser.get(page.group())
    process.communicate(timeout=PATIENCE)
    return process.returncode


async def test_a_login_is_of_one_principal_until_the_logout(workspace: Path) -> None:
    with guarded() as server:
        settings(TEAM.format(url=f"{server.origin}/mcp"))
        alice, bob = new_token("alice"), new_token("bob")
        assert log_in("bob") == 0
        with serving(workspace, "--upstreams", "tickets") as served:
            async with http(served.url, bob) as client:
                assert text_of(await client.call_tool("mcp_tickets_t", {})) == "let in"
            async with http(served.url, alice) as client:
                assert (await client.list_tools()).tools == []
                refused = await client.call_tool("mcp_tickets_t", {})
            assert kind_of(refused) == "server_missing"
            assert "mewcode mcp login tickets --as alice" in text_of(refused)
        assert mewcode("logout", "tickets", "--as", "bob").wait(PATIENCE) == 0
        with serving(workspace, "--upstreams", "tickets") as served:
            async with http(served.url, bob) as client:
                assert kind_of(await client.call_tool("mcp_tickets_t", {})) == "server_missing"


def test_a_server_with_one_connection_for_everybody_has_no_login_of_one(workspace: Path) -> None:
    settings(TEAM.format(url="http://127.0.0.1:1/mcp"))
    ended = mewcode("login", "wiki", "--as", "bob")
    _, said = ended.communicate(timeout=PATIENCE)
    assert ended.returncode == 2
    assert "credentials: principal" in said
