"""Running a server: numbers, new settings without a restart, an end that loses no call, several folders."""

import hashlib
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from tests.server.certificates import write_certificate
from tests.server.clients import (
    PATIENCE,
    Served,
    environment,
    http,
    kind_of,
    new_token,
    serving,
    settings,
    text_of,
)

from mcp import MCPError
from mewcode.server.restarting import AT_THE_START
from mewcode.workspace.sandbox import detect

pytestmark = pytest.mark.anyio

ROLES = "roles:\n  reader: {tools: [read_file], read: ['**']}\nprincipals: {alice: {roles: [reader]}}\n"
QUICK = "sandbox: off\npermissions: [{rule: 'run_command(*)', effect: allow}]\n"


async def test_metrics_count_calls_and_refusals(workspace: Path) -> None:
    with serving(workspace, "--no-auth") as served:
        async with http(served.url) as client:
            await client.call_tool("read_file", {"path": "a.py"})
            await client.call_tool("read_file", {"path": "/etc/passwd"})
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as requests:
            seen = (await requests.get(f"{served.base}/metrics")).text
            proxied = await requests.get(f"{served.base}/metrics", headers={"X-Forwarded-For": "10.0.0.1"})
    assert 'mewcode_calls_total{outcome="ok",server="",tool="read_file"} 1.0' in seen
    assert 'mewcode_refusals_total{reason="rule"} 1.0' in seen
    assert proxied.status_code == 404


async def reloaded(served: Served, word: str) -> None:
    """Has the settings read again, and waits for the word about it."""
    before = len(served.said)
    served.process.send_signal(signal.SIGHUP)
    with anyio.fail_after(PATIENCE):
        while not any(word in line for line in served.said[before:]):
            await anyio.sleep(0.05)


async def initialize(served: Served, token: str, **headers: str) -> int:
    """The status of a first request."""
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    named = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {token}", **headers}
    async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
        return (await client.post(served.url, json=body, headers=named)).status_code


def audited(kind: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "mewcode", "audit", "list", "--events", "--json"]
    listed = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=True)
    return [row for row in json.loads(listed.stdout) if kind in json.dumps(row)]


async def test_sighup_puts_every_setting_of_the_door_to_use(workspace: Path) -> None:
    settings(ROLES)
    token = new_token("alice")
    evil = {"Host": "new.example", "Origin": "https://new.example"}
    upstream = Path(__file__).parent / "whose_server.py"
    with serving(workspace) as served:

        async def names() -> list[str]:
            async with http(served.url, token) as client:
                return [tool.name for tool in (await client.list_tools()).tools]

        assert await names() == ["read_file"]
        assert await initialize(served, token, **evil) == 421
        settings(
            ROLES.replace("[read_file]", "[read_file, find_files, 'mcp_*']")
            + "limits: {per_minute: 1}\n"
            + f"mcp_servers: {{whose: {{command: {sys.executable}, args: ['{upstream}']}}}}\n"
            + "server:\n  upstreams: all\n  prefix: x.\n  allowed_hosts: [new.example]\n"
            + "  allowed_origins: ['https://new.example']\n"
            + f"  tokens: {{laptop: {{principal: alice, sha256: {hashlib.sha256(b'mew_new').hexdigest()}}}}}\n"
        )
        await reloaded(served, "read again")
        assert await initialize(served, token) == 401
        token = "mew_new"
        assert await initialize(served, token, **evil) == 200
        assert await names() == ["x.find_files", "x.read_file", "x.only_nobody", "x.process", "x.touch", "x.whoami"]
        async with http(served.url, token) as client:
            assert not (await client.call_tool("x.read_file", {"path": "a.py"})).is_error
            assert kind_of(await client.call_tool("x.read_file", {"path": "a.py"})) == "rate_limited"


RESTART = """
server:
  role: reader
  max_connections: 900
  max_body: 3MiB
  session_idle: 10m
  drain: 20s
  public_url: "http://127.0.0.1:9"
  state_key: "a key that is long enough to seal with"
  approvals_expire_after: 30m
  tls: {{cert: "{cert}", key: "{key}"}}
confirmations: {{expire_after: 5m}}
state: {{prefix: "other:", timeout: 1s}}
telemetry: {{metrics: false, traces: "http://127.0.0.1:9", headers: {{X-Key: a}}, service_name: other}}
"""


async def test_what_a_reload_leaves_as_it_is_is_named_until_the_restart(workspace: Path, tmp_path: Path) -> None:
    settings(ROLES)
    write_certificate(tmp_path, "first")
    restart = RESTART.format(cert=tmp_path / "cert.pem", key=tmp_path / "key.pem")
    with serving(workspace, "--no-auth") as served:
        settings(ROLES + "limits: {per_minute: 77}\n")
        await reloaded(served, "read again")
        assert not any("restart" in line for line in served.said)
        settings(ROLES + restart)
        await reloaded(served, "after a restart")
        settings(ROLES + restart + "mode: plan\n")
        before = len(served.said)
        await reloaded(served, "after a restart")
    said = next(line for line in served.said[before:] if "after a restart" in line)
    named = {name.strip() for name in said.partition(":")[2].split(",")}
    assert named == {*AT_THE_START, "server.tls"} - {"state.url"}
    settings(ROLES)
    assert set(audited('"reload"')[0]["details"]["needs_restart"]) == named


def test_every_setting_that_counts_from_the_start_on_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "serve.md").read_text()
    listed = page[page.index("What needs a restart") :].partition("- A session ends")[0]
    assert [name for name in AT_THE_START if name.partition(".")[2] not in listed and "state." not in name] == []


async def test_broken_settings_change_nothing_and_that_is_said_and_recorded(workspace: Path) -> None:
    settings(ROLES)
    token = new_token("alice")
    all_broken = (
        "roles: {reader: {tools: 7}}\n",
        "server: {upstreams: [nowhere]}\n",
        "server: {tls: {cert: no, key: no}}\n",
    )
    with serving(workspace) as served:
        for broken in all_broken:
            settings(broken)
            await reloaded(served, "not reloaded")
            async with http(served.url, token) as client:
                assert [tool.name for tool in (await client.list_tools()).tools] == ["read_file"], broken
                assert "hello" in text_of(await client.call_tool("read_file", {"path": "a.py"})), broken
    settings(ROLES)
    assert len(audited("reload_refused")) == len(all_broken)


async def test_a_call_in_flight_ends_under_the_settings_that_it_began_with(workspace: Path) -> None:
    settings(QUICK)
    with serving(workspace, "--no-auth") as served:
        async with http(served.url) as client, anyio.create_task_group() as tasks:
            answers: list[str] = []
            await client.list_tools()

            async def call() -> None:
                command = "touch started; while [ ! -e go ]; do sleep 0.1; done; echo finished"
                answers.append(text_of(await client.call_tool("run_command", {"command": command})))

            tasks.start_soon(call)
            with anyio.fail_after(PATIENCE):
                while not (workspace / "started").exists():
                    await anyio.sleep(0.05)
            settings("sandbox: off\npermissions: [{rule: 'run_command(*)', effect: deny}]\n")
            await reloaded(served, "read again")
            with pytest.raises(MCPError, match="Unknown tool"):
                await client.call_tool("run_command", {"command": "echo new"})
            assert answers == []
            (workspace / "go").touch()
        assert "finished" in answers[0]


async def test_a_call_in_flight_is_answered_after_sigterm(workspace: Path) -> None:
    settings(QUICK)
    started = workspace / "started"
    with serving(workspace, "--no-auth") as served:
        async with http(served.url) as client, anyio.create_task_group() as tasks:
            answers: list[str] = []
            await client.list_tools()  # or the client would ask for them after the call, when nobody listens any more

            async def call() -> None:
                result = await client.call_tool("run_command", {"command": "touch started; sleep 2; echo finished"})
                answers.append(text_of(result))

            tasks.start_soon(call)
            with anyio.fail_after(PATIENCE):
                while not started.exists():
                    await anyio.sleep(0.05)
            served.process.terminate()
        assert "finished" in answers[0]
        assert served.end() == 0


FOLDERS = """
roles: {web: {tools: [read_file, run_command], read: ['**'], write: ['**'], workspaces: [web]}}
principals: {alice: {roles: [web]}}
permissions: [{rule: 'run_command(sh look.sh)', effect: allow}]
"""


@contextmanager
def two_folders(tmp_path: Path) -> Iterator[Served]:
    """api and web, each with a file of its own."""
    for name in ("api", "web"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "who.txt").write_text(f"this is {name}\n")
    folders = (f"api={tmp_path / 'api'}", f"web={tmp_path / 'web'}")
    with serving(tmp_path / "api", "--workspace", folders[0], "--workspace", folders[1]) as served:
        yield served


async def test_roles_name_the_folders_that_their_principals_work_in(tmp_path: Path) -> None:
    settings(FOLDERS)
    token = new_token("alice")
    with two_folders(tmp_path) as served:
        async with http(served.url, token) as client:
            own = await client.call_tool("read_file", {"path": "who.txt"})
            other = await client.call_tool("read_file", {"path": str(tmp_path / "api" / "who.txt")})
            resources = [str(one.uri) for one in (await client.list_resources()).resources]
    assert "this is web" in text_of(own)
    assert other.is_error
    assert "this is api" not in text_of(other)
    assert not any("api" in uri for uri in resources)


@pytest.mark.skipif(detect().kind == "none", reason="no sandbox here")
async def test_commands_see_no_folder_that_is_not_their_principals() -> None:
    settings(FOLDERS + "sandbox: workspace\n")
    token = new_token("alice")
    # Not under /tmp, of which a sandboxed command has its own.
    with tempfile.TemporaryDirectory(dir=Path.home()) as place, two_folders(Path(place)) as served:
        (Path(place) / "web" / "look.sh").write_text(f"cat who.txt; cat {place}/api/who.txt\n")
        async with http(served.url, token) as client:
            said = text_of(await client.call_tool("run_command", {"command": "sh look.sh"}))
    assert "this is web" in said
    assert "this is api" not in said


async def test_without_a_sandbox_whoever_has_some_of_the_folders_runs_no_commands(tmp_path: Path) -> None:
    settings(FOLDERS + "sandbox: off\n")
    token = new_token("alice")
    with two_folders(tmp_path) as served:
        async with http(served.url, token) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == ["read_file"]
