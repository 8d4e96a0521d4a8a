"""Spellings that other tools let through, run for real in a temporary workspace through the gate."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.governance.house import House, allow, build, deny

from mewcode.calls import ToolResult

pytestmark = pytest.mark.anyio

CASES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "cases" / "permissions.json").read_text())
ALLOWED = [allow(f"run_command({pattern})") for pattern in CASES["allow_only"]["allowed"]]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path.resolve()
    (root / "README.md").write_text("hello world\nsecond line\n")
    for arguments in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"],
    ):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return root


async def run(house: House, command: str) -> bool:
    """Whether the gate ran the command; with nobody to ask, a question is a refusal."""
    reply = await house.call("run_command", {"command": command})
    return isinstance(reply, ToolResult) and (reply.error is None or reply.error.kind.value == "tool_error")


@pytest.mark.parametrize("case", CASES["allow_only"]["cases"], ids=lambda case: case["id"])
async def test_with_only_reading_commands_allowed_no_file_appears(repository: Path, case: dict[str, Any]) -> None:
    house = build(repository, ALLOWED)
    ran = await run(house, case["command"])
    assert not list(repository.rglob("MARKER*"))
    if case["id"].startswith("ctl"):
        assert ran


@pytest.mark.parametrize(
    "case", [c for c in CASES["deny_rm"]["cases"] if "needs" not in c], ids=lambda case: case["id"]
)
async def test_a_deny_on_rm_means_removing_in_whatever_spelling(repository: Path, case: dict[str, Any]) -> None:
    (repository / "VICTIM").write_text("here")
    house = build(repository, [allow("run_command(*)"), deny("run_command(rm *)")])
    await run(house, case["command"])
    assert (repository / "VICTIM").read_text() == "here"


@pytest.mark.parametrize("command", CASES["allow_only"]["must_run"])
async def test_harmless_commands_run_without_a_question(repository: Path, command: str) -> None:
    assert await run(build(repository, ALLOWED), command)


@pytest.mark.parametrize("case", [c for c in CASES["deny_rm"]["cases"] if "needs" in c], ids=lambda case: case["id"])
async def test_what_no_rule_on_rm_covers_still_asks_by_default(repository: Path, case: dict[str, Any]) -> None:
    (repository / "VICTIM").write_text("here")
    await run(build(repository, [deny("run_command(rm *)")]), case["command"])
    assert (repository / "VICTIM").read_text() == "here"
