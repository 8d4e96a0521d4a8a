"""Whoever asks, the same rules give the same decision: the record of each door says so."""

import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import anyio
import pytest
from mcp_types import ElicitResult
from tests.endpoint import Call, Turn, serve
from tests.headless.whole_house import run_here
from tests.security.house import converse, mewcode, options, write_settings
from tests.server.clients import stdio

from mewcode.app.house import open_app
from mewcode.cli.commands import run as run_command_line

SETTINGS = """\
sandbox: 'off'
roles: {everything: {tools: ["*"], read: ["**"], write: ["**"]}}
permissions:
  - {rule: "run_command(rm *)", effect: deny, reason: we never delete}
  - {rule: "run_command(touch *)", effect: allow}
  - {rule: "read_file(secret/**)", effect: deny}
  - {rule: "write_file(/docs/**)", effect: allow}
  - {rule: "write_file(/docs/frozen.md)", effect: ask}
"""
CASES: tuple[tuple[str, Mapping[str, Any], str, str | None], ...] = (
    ("read_file", {"path": "a.txt"}, "allow", None),
    ("read_file", {"path": "secret/key"}, "deny", "read_file(secret/**)"),
    ("run_command", {"command": "cat secret/key"}, "deny", "read_file(secret/**)"),
    ("read_file", {"path": ".env"}, "ask", None),
    ("write_file", {"path": "docs/new.md", "content": "x"}, "allow", "write_file(/docs/**)"),
    ("write_file", {"path": "docs/frozen.md", "content": "x"}, "ask", "write_file(/docs/frozen.md)"),
    ("write_file", {"path": "src/new.py", "content": "x"}, "ask", None),
    ("run_command", {"command": "touch b.txt"}, "allow", "run_command(touch *)"),
    ("run_command", {"command": "ls | sort"}, "allow", None),
    ("run_command", {"command": "timeout 5 rm a.txt"}, "deny", "run_command(rm *)"),
    ("run_command", {"command": "bash -c 'r''m a.txt'"}, "deny", "run_command(rm *)"),
    ("run_command", {"command": "make"}, "ask", None),
)
"""Tool, arguments, effect and rule."""
Door: TypeAlias = Callable[[Path], Awaitable[None]]


async def through_the_terminal(workspace: Path) -> None:
    """Somebody sits there, and says no."""
    async with open_app(options(workspace)) as app:
        await converse(app, [(tool, arguments) for tool, arguments, *_ in CASES])


async def through_run(workspace: Path) -> None:
    script = [*(Turn(calls=[Call(tool, dict(arguments))]) for tool, arguments, *_ in CASES), Turn("done")]
    with serve(script) as endpoint:
        provider = f"{{type: openai, base_url: '{endpoint.url}', api_key: test-key}}"
        write_settings(f"model: scripted:model\nproviders:\n  scripted: {provider}\n{SETTINGS}")
        await run_here(workspace, "go")


async def through_tools_call(workspace: Path) -> None:
    def call_all() -> None:
        for tool, arguments, *_ in CASES:
            run_command_line(["tools", "call", tool, "--args", json.dumps(arguments), "--json"])

    await anyio.to_thread.run_sync(call_all)


async def through_serve(workspace: Path) -> None:
    async def decline(context: Any, wanted: Any) -> ElicitResult:
        return ElicitResult(action="decline")

    async with stdio(workspace, "--role", "everything", elicitation_callback=decline) as client:
        for tool, arguments, *_ in CASES:
            await client.call_tool(tool, dict(arguments))


DOORS: Mapping[str, Door] = {
    "terminal": through_the_terminal,
    "run": through_run,
    "tools-call": through_tools_call,
    "serve": through_serve,
}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "workspace"
    for name in ("secret", "docs", "src"):
        (folder / name).mkdir(parents=True)
    for name in ("a.txt", ".env", "secret/key", "docs/frozen.md"):
        (folder / name).write_text("x\n")
    monkeypatch.chdir(folder)
    write_settings(SETTINGS)
    return folder


@pytest.mark.anyio
@pytest.mark.parametrize("door", DOORS)
async def test_every_door_gives_the_same_decision(
    workspace: Path, door: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await DOORS[door](workspace)
    decided = decisions(workspace)
    for tool, arguments, effect, rule in CASES:
        assert decided[_key(tool, arguments)] == (effect, rule), (tool, arguments)
    assert (workspace / "a.txt").exists()
    assert (workspace / "b.txt").exists()
    assert (workspace / "docs" / "frozen.md").read_text() == "x\n"
    assert not (workspace / "src" / "new.py").exists()


def decisions(workspace: Path) -> dict[str, tuple[str, str | None]]:
    """What the audit says was decided about each call."""
    rows = json.loads(mewcode(workspace, "audit", "list", "--json", "--limit", "200").stdout)
    return {_key(row["tool"], row["arguments"]): (row["effect"], row["rule"]) for row in rows if row["tool"]}


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    return f"{tool} {arguments.get('command') or arguments.get('path')}"
