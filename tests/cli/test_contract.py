"""The machine-readable forms that scripts rely on: fields may be added, none taken away."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("print('hello')\n")
    return tmp_path


def mewcode(workspace: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mewcode", *arguments]
    return subprocess.run(command, cwd=workspace, capture_output=True, text=True, timeout=120)


def answer(workspace: Path, *arguments: str, code: int = 0) -> Any:
    done = mewcode(workspace, *arguments, "--json")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def call(workspace: Path, tool: str, arguments: dict[str, Any], *more: str, code: int = 0) -> Any:
    return answer(workspace, "tools", "call", tool, "--args", json.dumps(arguments), *more, code=code)


def test_tools_list_names_the_six_and_their_servers(workspace: Path) -> None:
    rows = answer(workspace, "tools", "list")
    assert all({"name", "server", "tool", "deferred", "description"} <= row.keys() for row in rows)
    six = {"read_file", "write_file", "edit_file", "search_code", "find_files", "run_command"}
    built_in = {row["name"] for row in rows if row["server"] is None}
    assert six <= built_in
    assert not any(row["deferred"] for row in rows if row["name"] in six)


def test_tools_call_answers_with_the_text_and_exit_code_0(workspace: Path) -> None:
    result = call(workspace, "read_file", {"path": "a.py"})
    assert result["ok"] is True and result["is_error"] is False and result["error"] is None
    assert "print('hello')" in result["text"]
    assert {"structured", "truncated", "output_path", "duration_ms"} <= result.keys()


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "kind"),
    [
        ("read_file", {"path": "missing.py"}, 1, "tool_error"),
        ("read_file", {"nonsense": 1}, 1, "invalid_arguments"),
        ("no_such_tool", {}, 1, "unknown_tool"),
        ("write_file", {"path": "b.py", "content": "x"}, 3, "refused"),
        ("read_file", {"path": "/etc/passwd"}, 3, "refused"),
    ],
)
def test_tools_call_says_what_kind_of_error_it_was(
    workspace: Path, tool: str, arguments: dict[str, Any], code: int, kind: str
) -> None:
    result = call(workspace, tool, arguments, code=code)
    assert result["ok"] is False
    assert result["error"]["kind"] == kind and result["error"]["message"]
    assert result["error"]["server"] is None


def test_a_tool_of_a_server_that_is_missing_exits_with_4(workspace: Path) -> None:
    config = workspace / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"gone": {"command": "no-such-program-anywhere"}}}))
    result = call(workspace, "mcp_gone_tool", {}, "--mcp-config", str(config), code=4)
    assert result["error"]["kind"] == "server_missing" and result["error"]["server"] == "gone"


def test_what_would_be_asked_runs_when_a_rule_of_the_command_line_allows_it(workspace: Path) -> None:
    result = call(workspace, "write_file", {"path": "b.py", "content": "x = 1\n"}, "--allow", "write_file(b.py)")
    assert result["ok"] is True
    assert (workspace / "b.py").read_text() == "x = 1\n"


def test_arguments_that_are_no_json_object_are_a_usage_error(workspace: Path) -> None:
    done = mewcode(workspace, "tools", "call", "read_file", "--args", "[1]")
    assert done.returncode == 2 and "--args" in done.stderr


def test_mcp_list_gives_each_servers_state_and_error(workspace: Path) -> None:
    (workspace / ".mcp.json").write_text(json.dumps({"mcpServers": {"x": {"command": "no-such-program-anywhere"}}}))
    [row] = answer(workspace, "mcp", "list")
    assert {"name", "transport", "state", "era", "tools", "error"} <= row.keys()
    assert (row["name"], row["transport"], row["state"]) == ("x", "stdio", "needs-trust")


def test_policy_why_names_the_effect_the_rule_and_where_it_stands(workspace: Path) -> None:
    (workspace / ".mewcode.yaml").write_text('permissions:\n  - {rule: "run_command(rm *)", effect: deny}\n')
    found = answer(workspace, "policy", "why", "run_command(rm x)")
    assert {"effect", "rule", "source", "reason"} <= found.keys()
    assert found["effect"] == "deny" and found["rule"] == "run_command(rm *)"
    assert ".mewcode.yaml:2" in found["source"]


def test_audit_list_has_every_field_of_every_call(workspace: Path) -> None:
    call(workspace, "read_file", {"path": "a.py"})
    call(workspace, "write_file", {"path": "b.py", "content": "x"}, code=3)
    rows = [row for row in answer(workspace, "audit", "list") if row.get("tool")]
    fields = {
        "seq", "time", "principal", "roles", "door", "session", "server", "tool", "arguments", "effect", "rule",
        "outcome", "files", "duration_ms",
    }  # fmt: skip
    assert all(fields <= row.keys() for row in rows)
    assert {(row["tool"], row["outcome"]) for row in rows} == {("read_file", "ok"), ("write_file", "refused")}
    assert {row["door"] for row in rows} == {"tools_call"}


def test_doctor_exits_with_0_without_a_model_or_key(workspace: Path) -> None:
    rows = answer(workspace, "doctor")
    assert {"subject", "health", "finding", "remedy"} <= rows[0].keys()
    assert {"mewcode", "settings", "sandbox", "model", "audit"} <= {row["subject"] for row in rows}
