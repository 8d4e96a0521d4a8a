"""Running a server: numbers, new settings without a restart, an end that loses no call, several folders."""

import signal
from pathlib import Path

import anyio
import httpx2
import pytest
from tests.server.clients import PATIENCE, http, new_token, serving, settings, text_of

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


async def test_new_settings_count_after_sighup_and_broken_ones_change_nothing(workspace: Path) -> None:
    settings(ROLES)
    token = new_token("alice")
    with serving(workspace) as served:

        async def names() -> list[str]:
            async with http(served.url, token) as client:
                return [tool.name for tool in (await client.list_tools()).tools]

        assert await names() == ["read_file"]
        settings(ROLES.replace("[read_file]", "[read_file, find_files]"))
        served.process.send_signal(signal.SIGHUP)
        with anyio.fail_after(PATIENCE):
            while await names() != ["find_files", "read_file"]:
                await anyio.sleep(0.1)


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


async def test_roles_name_the_folders_that_their_principals_work_in(tmp_path: Path) -> None:
    for name in ("api", "web"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "who.txt").write_text(f"this is {name}\n")
    settings(
        "roles:\n  web: {tools: [read_file], read: ['**'], workspaces: [web]}\nprincipals: {alice: {roles: [web]}}\n"
    )
    token = new_token("alice")
    with serving(
        tmp_path / "api", "--workspace", f"api={tmp_path / 'api'}", "--workspace", f"web={tmp_path / 'web'}"
    ) as served:
        async with http(served.url, token) as client:
            own = await client.call_tool("read_file", {"path": "who.txt"})
            other = await client.call_tool("read_file", {"path": str(tmp_path / "api" / "who.txt")})
    assert "this is web" in text_of(own)
    assert other.is_error
    assert "this is api" not in text_of(other)
