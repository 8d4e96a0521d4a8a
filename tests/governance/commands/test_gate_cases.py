"""Our own permission cases, run for real through the gate, with nobody there to ask."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.governance.house import House, allow, build, deny

from mewcode.calls import ToolResult

pytestmark = pytest.mark.anyio

CASES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "cases" / "permissions_more.json").read_text())
ALLOWED = [allow(f"run_command({pattern})") for pattern in CASES["allow_only"]["allowed"]]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "README.md").write_text("hello world\n")
    (tmp_path / "VICTIM").write_text("still here\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("1\n2\n")
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    return tmp_path.resolve()


async def _runs(house: House, line: str) -> bool:
    reply = await house.call("run_command", {"command": line})
    return isinstance(reply, ToolResult) and (reply.error is None or reply.error.kind.value == "tool_error")


@pytest.mark.parametrize("case", CASES["allow_only"]["cases"], ids=lambda case: case["id"])
async def test_the_gate_lets_no_unlisted_command_act(workspace: Path, case: dict[str, str]) -> None:
    await _runs(build(workspace, ALLOWED), case["command"])
    assert not list(workspace.rglob("MARKER*"))


@pytest.mark.parametrize("case", CASES["deny_rm"]["cases"], ids=lambda case: case["id"])
async def test_the_gate_lets_no_spelling_of_a_denied_removal_through(workspace: Path, case: dict[str, str]) -> None:
    ran = await _runs(build(workspace, [allow("run_command(*)"), deny("run_command(rm *)")]), case["command"])
    assert not ran
    assert (workspace / "VICTIM").exists()


@pytest.mark.parametrize("line", CASES["allow_only"]["must_run"])
async def test_the_gate_lets_harmless_lines_through(workspace: Path, line: str) -> None:
    assert await _runs(build(workspace, ALLOWED), line)
