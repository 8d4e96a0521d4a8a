"""`credentials: principal`: each principal has a connection of its own to an upstream server, with its own credentials,
and nothing of one connection ever reaches another principal."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.server.clients import PATIENCE, environment, http, kind_of, new_token, serving, settings, shared, text_of

from mcp import MCPError
from mewcode.app.loading import load_for
from mewcode.app.options import AppOptions
from mewcode.calls import Door
from mewcode.config import Paths
from mewcode.errors import SettingsError
from mewcode.mcp.principals import principal_rules

pytestmark = pytest.mark.anyio

WHOSE = Path(__file__).parent / "whose_server.py"
TEAM = """
roles:
  dev: {tools: ["mcp_whose_*", read_resource, get_prompt]}
  reader: {tools: [read_file], read: ['**']}
trust: {escalate: false}
limits: {per_minute: 100000, concurrent: 1000}
permissions:
  - {rule: "mcp_*(*)", effect: allow}
  - {rule: "read_resource(*)", effect: allow}
  - {rule: "get_prompt(*)", effect: allow}
"""
STDIO = f"""{TEAM}
mcp_servers:
  whose: {{command: {sys.executable}, args: ["{WHOSE}"], credentials: principal}}
principals:
  alice: {{roles: [dev], servers: {{whose: {{env: {{WHO: "${{ALICE_KEY}}"}}}}}}}}
  bob: {{roles: [dev], servers: {{whose: {{env: {{WHO: bob-key}}}}}}}}
  carol: {{roles: [dev]}}
  dora: {{roles: [reader]}}
"""
ENVIRONMENT = {"ALICE_KEY": "alice-key"}


@contextmanager
def upstream() -> Iterator[str]:
    """The upstream server over HTTP; its URL."""
    process = subprocess.Popen([sys.executable, str(WHOSE), "http"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
    finally:
        process.terminate()
        process.wait()


def over_http(url: str) -> str:
    return f"""{TEAM}
mcp_servers:
  whose: {{url: "{url}", credentials: principal, headers: {{X-Team: ours}}}}
principals:
  alice: {{roles: [dev], servers: {{whose: {{headers: {{Authorization: Bearer alice-key}}}}}}}}
  bob: {{roles: [dev], servers: {{whose: {{headers: {{Authorization: Bearer bob-key}}}}}}}}
  carol: {{roles: [dev]}}
"""


async def tools_of(client: Any) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


@pytest.mark.parametrize(("transport", "era"), [("stdio", "legacy"), ("http", "auto")])
async def test_each_principal_comes_with_its_own_credentials_and_sees_its_own_list(
    workspace: Path, transport: str, era: str
) -> None:
    tokens = {name: new_token(name) for name in ("alice", "bob")}
    with upstream() as url:
        settings(STDIO if transport == "stdio" else over_http(url))
        with serving(workspace, "--upstreams", "all", more_environment=ENVIRONMENT) as served:
            async with http(served.url, tokens["alice"], era) as alice, http(served.url, tokens["bob"], era) as bob:
                for client, own, other in ((alice, "alice", "bob"), (bob, "bob", "alice")):
                    assert text_of(await client.call_tool("mcp_whose_whoami", {})) == own
                    names = await tools_of(client)
                    assert f"mcp_whose_only_{own}" in names
                    assert f"mcp_whose_only_{other}" not in names
                    with pytest.raises(MCPError, match="Unknown tool"):
                        await client.call_tool(f"mcp_whose_only_{other}", {})
                    uris = [str(one.uri) for one in (await client.list_resources()).resources]
                    assert f"note://{own}" in uris
                    assert f"note://{other}" not in uris
                    with pytest.raises(MCPError):
                        await client.read_resource(f"note://{other}")
                    assert (await client.read_resource("note://mine")).contents[0].text == f"note of {own}"
                    prompts = [one.name for one in (await client.list_prompts()).prompts]
                    assert f"mcp_whose_prompt_{own}" in prompts
                    assert f"mcp_whose_prompt_{other}" not in prompts


async def test_whoever_has_no_credentials_gets_those_of_nobody(workspace: Path) -> None:
    tokens = {name: new_token(name) for name in ("alice", "carol")}
    with upstream() as url:
        settings(over_http(url))
        with serving(workspace, "--upstreams", "all") as served:
            async with http(served.url, tokens["alice"]) as alice, http(served.url, tokens["carol"]) as carol:
                assert text_of(await alice.call_tool("mcp_whose_whoami", {})) == "alice"
                refused = await carol.call_tool("mcp_whose_whoami", {})
                assert kind_of(refused) == "server_missing"
                assert "alice" not in text_of(refused)
                assert not any("whose" in name for name in await tools_of(carol))
                assert text_of(await alice.call_tool("mcp_whose_whoami", {})) == "alice"


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """The URL of a server and the tokens of its principals."""
    arguments = ("--upstreams", "all")
    with shared(tmp_path_factory.mktemp("team"), STDIO, *arguments, more_environment=ENVIRONMENT) as running:
        yield running.served.url, {name: running.token(name) for name in ("alice", "bob")}


async def test_64_calls_at_once_of_two_principals_never_meet(team: tuple[str, dict[str, str]]) -> None:
    url, tokens = team
    said: list[tuple[str, str]] = []
    async with http(url, tokens["alice"]) as alice, http(url, tokens["bob"], "legacy") as bob:

        async def call(client: Any, own: str) -> None:
            said.extend([(own, text_of(await client.call_tool("mcp_whose_whoami", {}))) for _ in range(5)])

        async with anyio.create_task_group() as tasks:
            for _ in range(32):
                tasks.start_soon(call, alice, "alice")
                tasks.start_soon(call, bob, "bob")
    assert len(said) == 320
    assert [pair for pair in said if pair[0] != pair[1]] == []


async def test_a_role_without_the_server_opens_no_connection_to_it(workspace: Path) -> None:
    settings(STDIO)
    token = new_token("dora")
    with serving(workspace, "--upstreams", "all", more_environment=ENVIRONMENT) as served:
        async with http(served.url, token) as dora:
            assert await tools_of(dora) == ["read_file"]
            with pytest.raises(MCPError, match="Unknown tool"):
                await dora.call_tool("mcp_whose_whoami", {})
        assert children_of(served.process.pid) == []


async def test_connections_of_principals_are_bounded(workspace: Path) -> None:
    settings(STDIO + "server: {principal_connections: 1}\n")
    tokens = {name: new_token(name) for name in ("alice", "bob")}
    with serving(workspace, "--upstreams", "all", more_environment=ENVIRONMENT) as served:
        async with http(served.url, tokens["alice"]) as alice, http(served.url, tokens["bob"]) as bob:
            first = text_of(await alice.call_tool("mcp_whose_process", {}))
            second = text_of(await bob.call_tool("mcp_whose_process", {}))
            with anyio.fail_after(PATIENCE):
                while children_of(served.process.pid) != [int(second)]:
                    await anyio.sleep(0.1)
    assert first != second


async def test_an_idle_connection_of_a_principal_is_closed_and_comes_back(workspace: Path) -> None:
    settings(STDIO + "server: {principal_idle: 1s}\n")
    token = new_token("alice")
    with serving(workspace, "--upstreams", "all", more_environment=ENVIRONMENT) as served:
        async with http(served.url, token) as alice:
            first = text_of(await alice.call_tool("mcp_whose_process", {}))
            with anyio.fail_after(PATIENCE):
                while children_of(served.process.pid):
                    await anyio.sleep(0.1)
            assert "mcp_whose_only_alice" in await tools_of(alice)
            assert text_of(await alice.call_tool("mcp_whose_process", {})) != first
            assert text_of(await alice.call_tool("mcp_whose_whoami", {})) == "alice"


async def test_a_change_over_the_connection_of_one_is_told_to_that_one_only(team: tuple[str, dict[str, str]]) -> None:
    url, tokens = team
    heard: dict[str, list[str]] = {"alice": [], "bob": []}
    async with http(url, tokens["alice"]) as alice, http(url, tokens["bob"]) as bob:

        async def listen(client: Any, name: str, ready: anyio.Event) -> None:
            async with client.listen(resource_subscriptions=["note://mine"]) as changes:
                ready.set()
                async for event in changes:
                    heard[name].append(event.uri)

        async with anyio.create_task_group() as tasks:
            for client, name in ((alice, "alice"), (bob, "bob")):
                ready = anyio.Event()
                tasks.start_soon(listen, client, name, ready)
                await ready.wait()
            with anyio.fail_after(PATIENCE):
                while not heard["alice"]:
                    await alice.call_tool("mcp_whose_touch", {})
                    await anyio.sleep(0.1)
                assert heard["bob"] == []
                while not heard["bob"]:
                    await bob.call_tool("mcp_whose_touch", {})
                    await anyio.sleep(0.1)
            tasks.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("entry", "principal", "key"),
    [
        (
            "url: 'http://127.0.0.1:1/', headers: {Authorization: Bearer x}",
            "",
            "mcp_servers.whose.headers.Authorization",
        ),
        ("command: x, env: {API_KEY: x}", "", "mcp_servers.whose.env.API_KEY"),
        ("url: 'http://u:p@127.0.0.1:1/'", "", "mcp_servers.whose.url"),
        (
            "url: 'http://127.0.0.1:1/', oauth: {grant: client_credentials, client_id: a, client_secret: b}",
            "",
            "mcp_servers.whose.oauth.grant",
        ),
        ("command: x", "whose: {headers: {A: b}}", "principals.alice.servers.whose.headers"),
        ("command: x", "other: {env: {A: b}}", "principals.alice.servers.other"),
    ],
)
def test_a_credential_that_would_be_shared_is_refused_at_the_start(
    workspace: Path, entry: str, principal: str, key: str
) -> None:
    settings(
        f"mcp_servers: {{whose: {{{entry}, credentials: principal}}}}\n"
        f"principals: {{alice: {{servers: {{{principal}}}}}}}\n"
    )
    loaded = load_for(AppOptions(Door.SERVE_HTTP, workspace), Paths.from_environment())
    with pytest.raises(SettingsError) as refused:
        principal_rules(loaded)
    assert key in str(refused.value)
    assert "Bearer x" not in str(refused.value)


def test_such_a_refusal_is_a_wrong_setting_for_whoever_starts_the_server(workspace: Path) -> None:
    settings("mcp_servers: {whose: {command: x, env: {API_KEY: secret-x}, credentials: principal}}\n")
    command = [sys.executable, "-m", "mewcode", "serve", "--http", "127.0.0.1:0", "--upstreams", "all"]
    ended = subprocess.run(
        command,
        cwd=workspace,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
    )
    assert ended.returncode == 2
    assert "mcp_servers.whose.env.API_KEY" in ended.stderr
    assert "secret-x" not in ended.stderr


def children_of(pid: int) -> list[int]:
    """Server processes that a process started, however deep."""
    command = ["ps", "-ww", "-eo", "pid=,ppid=,args="]  # -ww: else it cuts command lines at the width of a terminal
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    parents = {int(child): int(parent) for child, parent, _ in rows}

    def descends(child: int) -> bool:
        while child in parents:
            child = parents[child]
            if child == pid:
                return True
        return False

    return [int(child) for child, _, words in rows if "whose_server.py" in words and descends(int(child))]
