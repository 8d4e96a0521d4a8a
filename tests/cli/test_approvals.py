"""`mewcode approvals` from the outside, where nothing waits."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(("verb", "grants"), [("grant", True), ("deny", False)])
def test_a_decision_that_came_to_nothing_is_on_record_as_one(tmp_path: Path, verb: str, grants: bool) -> None:
    decided = mewcode(tmp_path, "approvals", verb, "nothing-waits")
    assert decided.returncode == 2
    assert "nothing-waits" in decided.stderr
    events = json.loads(mewcode(tmp_path, "audit", "list", "--events", "--json").stdout)
    assert [event["name"] for event in events] == ["approval_failed", "approval"]
    assert events[0]["details"]["grant"] is grants
    assert events[0]["details"]["why"] == "serve.no_approval"


def mewcode(place: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "mewcode", *arguments]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120)
