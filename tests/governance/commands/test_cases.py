"""The shared cases, executed for real: what the rules let through must not do what it should not."""

import json
import subprocess
from pathlib import Path

import pytest
from tests.governance.commands.decision import decide, run_bash

CASES = Path(__file__).parents[2] / "cases"
FILES = ("permissions.json", "permissions_more.json")


def _load(section: str, key: str) -> list[tuple[list[str], dict[str, str]]]:
    loaded = [json.loads((CASES / name).read_text(encoding="utf-8")) for name in FILES]
    return [
        (file[section].get("allowed") or file[section].get("denied"), case)
        for file in loaded
        for case in file[section].get(key, ())
    ]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "README.md").write_text("hello world\n")
    (tmp_path / "VICTIM").write_text("still here\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("1\n2\n")
    for command in (
        ["init", "-q"],
        ["add", "README.md"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"],
    ):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


def _name(case: object) -> str:
    return case["id"] if isinstance(case, dict) else ""


@pytest.mark.parametrize(("allowed", "case"), _load("allow_only", "cases"), ids=_name)
def test_an_allowed_line_never_creates_a_file(allowed: list[str], case: dict[str, str], workspace: Path) -> None:
    if decide(case["command"], allow=allowed, cwd=str(workspace)) == "allow":
        run_bash(case["command"], workspace)
    assert not (workspace / "MARKER").exists()
    assert (workspace / "VICTIM").exists()


@pytest.mark.parametrize(("allowed", "line"), _load("allow_only", "must_run"), ids=str)
def test_a_harmless_line_runs_unasked(allowed: list[str], line: str, workspace: Path) -> None:
    assert decide(line, allow=allowed, cwd=str(workspace)) == "allow"
    run_bash(line, workspace)
    assert not (workspace / "MARKER").exists()


@pytest.mark.parametrize(("denied", "case"), _load("deny_rm", "cases"), ids=_name)
def test_a_denied_removal_never_removes(denied: list[str], case: dict[str, str], workspace: Path) -> None:
    if decide(case["command"], allow=["*"], deny=denied, cwd=str(workspace)) == "allow":
        run_bash(case["command"], workspace)
    assert (workspace / "VICTIM").exists()


@pytest.mark.parametrize(("denied", "case"), _load("deny_rm", "cases"), ids=_name)
def test_every_spelling_of_a_removal_is_refused_or_asked(
    denied: list[str], case: dict[str, str], workspace: Path
) -> None:
    assert decide(case["command"], allow=["*"], deny=denied, cwd=str(workspace)) != "allow"
