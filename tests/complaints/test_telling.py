"""A server that fails is told of in a person's words: what it said, where, and what to do."""

import json
from pathlib import Path

import pytest
from tests.mcp.scripted import command
from tests.security.house import mewcode, write_settings

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", ["stdio", "http"])
def test_a_failing_server_is_tested_listed_and_told_of_without_a_traceback(tmp_path: Path, kind: str) -> None:
    line = command(tmp_path, cries="ModuleNotFoundError: No module named 'wonders'", exits=3)
    entry = {"stdio": f"{{command: {line}}}", "http": "{url: 'http://127.0.0.1:9/mcp'}"}[kind]
    write_settings(f"mcp_servers: {{s: {entry}}}\n")
    tested, listed = mewcode(tmp_path, "mcp", "test", "s"), mewcode(tmp_path, "mcp", "list", "--json")
    words = {"stdio": "No module named 'wonders'", "http": "http://127.0.0.1:9/mcp"}[kind]
    assert tested.returncode == 1
    assert words in tested.stdout + tested.stderr
    [entry_of_s] = json.loads(listed.stdout)
    assert words in entry_of_s["error"]
    for text in (tested.stdout, tested.stderr, listed.stdout, listed.stderr):
        assert "TaskGroup" not in text
        assert "Traceback" not in text


def test_a_server_without_tools_is_listed(tmp_path: Path) -> None:
    write_settings(f"mcp_servers: {{s: {{command: {command(tmp_path, tools=[])}}}}}\n")
    [entry] = json.loads(mewcode(tmp_path, "mcp", "list", "--json").stdout)
    assert (entry["state"], entry["tools"], entry["error"]) == ("ready", 0, None)
