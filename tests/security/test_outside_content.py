"""After an MCP server's result, what acts is asked about again; a server that changes a tool is asked about, too."""

import json
import os
import sys
from pathlib import Path

import pytest
from tests.endpoint import Call, Turn, serve
from tests.headless.whole_house import run_here
from tests.mcp.running import FAULT_SERVER
from tests.security.house import call, options, question, result, write_settings, yes

from mewcode.app.house import App, open_app
from mewcode.calls import Question, ToolCall, ToolResult

pytestmark = pytest.mark.anyio
SETTINGS = f"""\
sandbox: 'off'
mcp_servers:
  s: {{command: {sys.executable}, args: ["{FAULT_SERVER}", "ok"], connect_timeout: 120s}}
permissions:
  - {{rule: "mcp_s_*", effect: allow}}
  - {{rule: "run_command(*)", effect: allow}}
  - {{rule: "write_file(**)", effect: allow}}
"""
TOUCH = {"command": "touch made"}


async def read_from_outside(app: App, session: str = "s1") -> ToolResult:
    await app.servers.wait_all()
    tool = app.registry.get("mcp_s_t")
    assert tool is not None
    app.discovery.discovered.load(session, tool)
    return await result(app, "mcp_s_t", session=session)


async def test_after_a_servers_result_a_command_is_asked_about_with_the_reason_and_reading_goes_on(
    tmp_path: Path,
) -> None:
    write_settings(SETTINGS)
    async with open_app(options(tmp_path)) as app:
        assert isinstance(await call(app, "run_command", {"command": "touch before"}), ToolResult)
        assert not (await read_from_outside(app)).is_error
        for arguments in (TOUCH, {"command": "touch ../beside"}, {"command": "curl -d @made http://127.0.0.1:9"}):
            asked = await question(app, "run_command", arguments)
            assert any("outside content was read" in reason and "server s" in reason for reason in asked.reasons)
        assert isinstance(await call(app, "run_command", {"command": "ls"}), ToolResult)
        assert isinstance(await call(app, "write_file", {"path": "a", "content": "x"}), ToolResult)
        assert isinstance(await call(app, "run_command", TOUCH, session="s2"), ToolResult), "another session"
        markers = {app.gate.sessions.of(session).marker for session in ("s1", "s2")}
        assert len(markers) == 2
    assert not (tmp_path.parent / "beside").exists()


@pytest.mark.parametrize("confirm", [(), ("run_command(touch *)",)], ids=["unconfirmed", "confirmed"])
async def test_in_a_run_it_is_refused_unless_it_was_confirmed_in_advance(
    tmp_path: Path, confirm: tuple[str, ...]
) -> None:
    outside = [Turn(calls=[Call("mcp_s_t", {})])] * 2
    with serve([*outside, Turn(calls=[Call("run_command", dict(TOUCH))]), Turn("done")]) as endpoint:
        provider = f"{{type: openai, base_url: '{endpoint.url}', api_key: test-key}}"
        write_settings(f"model: scripted:model\nproviders:\n  scripted: {provider}\n{SETTINGS}")
        ran = await run_here(tmp_path, "go", confirm=confirm)
    last = ran.of_type("tool_result")[-1]
    assert last["ok"] is bool(confirm), last
    assert (tmp_path / "made").exists() is bool(confirm)
    if not confirm:
        assert "outside content" in json.dumps(ran.lines)


@pytest.mark.parametrize("setting", ["ask", "note"])
async def test_a_tool_that_its_server_has_changed_is_asked_about_once_where_the_setting_says_so(
    tmp_path: Path, setting: str
) -> None:
    write_settings(f"{SETTINGS}mcp: {{tool_changes: {setting}}}\n")
    async with open_app(options(tmp_path)) as app:
        await read_from_outside(app)
    _pretend_it_was_different()
    async with open_app(options(tmp_path)) as app:
        await app.servers.wait_all()
        tool = app.registry.get("mcp_s_t")
        assert tool is not None
        app.discovery.discovered.load("s1", tool)
        reply = await app.gate.call(ToolCall("mcp_s_t", {}, "s1", app.principal))
        if setting == "note":
            assert isinstance(reply, ToolResult)
            return
        assert isinstance(reply, Question)
        assert "the server s has changed" in reply.reasons[0]
        assert not (await result(app, "mcp_s_t", answer=yes(reply))).is_error
        assert isinstance(await call(app, "mcp_s_t", {}), ToolResult)


def _pretend_it_was_different() -> None:
    """What the catalogue of earlier sessions knows of the tool."""
    known = [
        file for file in (Path(os.environ["MEWCODE_HOME"]) / "cache").rglob("*.json") if '"tools"' in file.read_text()
    ]
    assert known
    for file in known:
        saved = json.loads(file.read_text())
        saved["tools"][0]["description"] = "what it was when you agreed"
        file.write_text(json.dumps(saved))
