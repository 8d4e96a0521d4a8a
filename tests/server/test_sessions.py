"""The end of a client's session: nothing that was kept for it outlives it, however it ends."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from tests.server.clients import PATIENCE, Served, http, serving, settings

from mewcode.app.house import App, open_app
from mewcode.app.options import AppOptions
from mewcode.calls import Door, Principal, ToolCall
from mewcode.server import sessions
from mewcode.server.callers import Caller
from mewcode.server.sessions import LiveSessions

pytestmark = pytest.mark.anyio

QUICK = "sandbox: off\npermissions: [{rule: 'run_command(*)', effect: allow}]\n"
JOB = {"command": "echo $$ > pid; exec sleep 600", "background": True}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def outputs() -> list[Path]:
    return list((Path(os.environ["MEWCODE_HOME"]) / "outputs").glob("*"))


async def until_gone(pid: int) -> None:
    with anyio.fail_after(PATIENCE):
        while Path(f"/proc/{pid}").exists():
            await anyio.sleep(0.05)


async def begin_job(client: Any, workspace: Path) -> int:
    file = workspace / "pid"
    result = await client.call_tool("run_command", JOB)
    assert not result.is_error
    with anyio.fail_after(PATIENCE):
        while not file.exists() or not file.read_text().strip():
            await anyio.sleep(0.05)
    return int(file.read_text())


async def test_a_deleted_session_takes_its_jobs_and_outputs_along(workspace: Path) -> None:
    settings(QUICK)
    with serving(workspace, "--no-auth") as served:
        async with http(served.url, era="legacy") as client:
            pid = await begin_job(client, workspace)
            assert Path(f"/proc/{pid}").exists()
            assert outputs()
        await until_gone(pid)  # the client has sent DELETE
        with anyio.fail_after(PATIENCE):
            while outputs():
                await anyio.sleep(0.05)


async def test_a_session_that_nobody_uses_ends_by_itself(workspace: Path) -> None:
    # Longer than two requests in a row may be apart on a busy machine.
    settings(QUICK + "server: {session_idle: 6s}\n")
    with serving(workspace, "--no-auth") as served:
        session = await opened(served)
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:

            async def post(body: dict[str, Any]) -> httpx2.Response:
                headers = {**HEADERS, "Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
                return await client.post(served.url, json={"jsonrpc": "2.0", **body}, headers=headers)

            call = {"name": "run_command", "arguments": JOB}
            assert (await post({"id": 2, "method": "tools/call", "params": call})).status_code == 200
            with anyio.fail_after(PATIENCE):
                while not (workspace / "pid").exists() or not (workspace / "pid").read_text().strip():
                    await anyio.sleep(0.05)
            await until_gone(int((workspace / "pid").read_text()))
            assert (await post({"id": 3, "method": "tools/list"})).status_code == 404


async def opened(served: Served) -> str:
    """A session whose client then says nothing more."""
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
        response = await client.post(served.url, json=body, headers=HEADERS)
        session = response.headers["mcp-session-id"]
        note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await client.post(served.url, json=note, headers={**HEADERS, "Mcp-Session-Id": session})
    return session


@asynccontextmanager
async def house(workspace: Path) -> AsyncGenerator[App]:
    async with open_app(AppOptions(Door.SERVE_HTTP, workspace)) as app:
        yield app


def caller(session: str, *, lasting: bool, name: str = "alice") -> Caller:
    return Caller(Principal(name, ("reader",), Door.SERVE_HTTP), session, lasting)


async def until(true: Any) -> None:
    with anyio.fail_after(PATIENCE):
        while not true():
            await anyio.sleep(0.01)


async def test_everything_the_house_keeps_for_a_session_is_let_go_of(workspace: Path) -> None:
    settings("roles: {reader: {tools: [read_file], read: ['**']}}\n")
    ended: list[str] = []
    async with house(workspace) as app, anyio.create_task_group() as tasks:
        live = LiveSessions(lambda: (app,), ended.append)
        tasks.start_soon(live.run)
        one, other = caller("one", lasting=True), caller("other", lasting=True)
        for each in (one, other):
            live.seen(each)
            await app.gate.call(ToolCall("read_file", {"path": "a.py"}, each.session, each.principal))
            tool = app.registry.get("read_file")
            assert tool is not None
            app.discovery.discovered.load(each.session, tool)
        assert set(app.gate.sessions.ids) == {"one", "other"}
        live.end("one")
        await until(lambda: ended)
        await until(lambda: app.gate.sessions.ids == ("other",))
        assert app.discovery.discovered.names("one") == ()
        assert app.discovery.discovered.names("other") == ("read_file",)
        # A call that outlives its session makes the state anew; that goes, too.
        await app.gate.call(ToolCall("read_file", {"path": "a.py"}, "one", one.principal))
        live.end("nobody")
        await until(lambda: app.gate.sessions.ids == ("other",))
        tasks.cancel_scope.cancel()


async def test_names_that_a_client_invents_are_forgotten_when_idle_and_bounded_before(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST", 10)
    async with house(workspace) as app, anyio.create_task_group() as tasks:
        ended: list[str] = []
        live = LiveSessions(lambda: (app,), ended.append, idle=0.2)
        live.seen(caller("of bob", lasting=False, name="bob"))
        for number in range(100):
            live.seen(caller(f"peer-{number}", lasting=False))
            app.gate.sessions.of(f"peer-{number}")
        assert len(live) == 11
        tasks.start_soon(live.run)
        await until(lambda: len(ended) >= 90)
        assert "of bob" not in ended[:90]
        live.seen(caller("lasting", lasting=True))
        await until(lambda: app.gate.sessions.ids == ())
        assert len(live) == 1
        tasks.cancel_scope.cancel()
