"""`mewcode mcp`: the settings it writes, what it shows, whom it trusts, what it takes over from other programs."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.running import FAULT_SERVER

from mewcode.cli.commands import run


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    return folder


def user_file() -> Path:
    return Path(os.environ["MEWCODE_HOME"]) / "config.yaml"


def fault(*modes: str) -> list[str]:
    return ["--", sys.executable, str(FAULT_SERVER), *modes]


def output(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_server_is_added_listed_examined_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    user_file().write_text("# my settings\nmodel: ollama:x  # small\n")
    assert run(["mcp", "add", "files", "--env", "TOKEN", *fault("junk")]) == 0
    written = user_file().read_text()
    assert "# my settings" in written
    assert "# small" in written
    assert "TOKEN: ${TOKEN}" in written.replace('"', "")
    os.environ["TOKEN"] = "abc"
    capsys.readouterr()
    assert run(["mcp", "list", "--json"]) == 0
    [row] = output(capsys)
    assert {key: row[key] for key in ("name", "transport", "state", "era", "tools", "error")} == {
        "name": "files", "transport": "stdio", "state": "ready", "era": "legacy", "tools": 1, "error": None,
    }  # fmt: skip
    assert run(["mcp", "test", "files"]) == 0
    shown = capsys.readouterr().out
    assert "legacy, 2025-11-25" in shown
    assert "print such lines to standard error" in shown
    assert run(["mcp", "remove", "files"]) == 0
    assert "files" not in user_file().read_text()
    assert "# my settings" in user_file().read_text()


def test_a_test_that_fails_says_why_and_exits_1(capsys: pytest.CaptureFixture[str]) -> None:
    run(["mcp", "add", "gone", "--", "no-such-command-anywhere"])
    run(["mcp", "add", "dies", *fault("exit0")])
    capsys.readouterr()
    assert run(["mcp", "test", "gone", "--json"]) == 1
    assert "install it, or give its full path" in output(capsys)["error"]
    assert run(["mcp", "test", "dies", "--json"]) == 1
    report = output(capsys)
    assert (report["ok"], report["stage"]) == (False, "initialize")
    assert "exit code 3" in report["error"]


def test_a_url_with_headers_is_added_as_it_stands(workspace: Path) -> None:
    command = ["mcp", "add", "web", "https://example.com/mcp", "-H", "Authorization: Bearer ${T}", "--scope", "project"]
    assert run(command) == 0
    text = (workspace / ".mewcode.yaml").read_text()
    assert "https://example.com/mcp" in text
    assert "Bearer ${T}" in text


@pytest.mark.parametrize(
    "command",
    [
        ["add", "bad name", "--", "x"],
        ["add", "x", "ftp://example.com/mcp", "--scope", "nowhere"],
        ["add-json", "x", "{nonsense"],
        ["add-json", "x", '{"nothing": 1}'],
        ["get", "nobody"],
        ["test", "nobody"],
        ["import", "notepad"],
    ],
)
def test_what_makes_no_sense_exits_2(command: list[str]) -> None:
    assert run(["mcp", *command]) == 2
    assert not user_file().exists()


def test_the_entry_of_another_program_is_added_from_json(capsys: pytest.CaptureFixture[str]) -> None:
    entry = {"mcpServers": {"x": {"command": "npx", "args": ["-y", "pkg"], "alwaysAllow": ["a"], "timeout": 5000}}}
    assert run(["mcp", "add-json", "x", json.dumps(entry)]) == 0
    assert "alwaysAllow" in capsys.readouterr().err
    assert "timeout: 5s" in user_file().read_text().replace('"', "")


def test_a_servers_of_the_project_runs_only_after_it_was_trusted(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / ".mcp.json").write_text(
        json.dumps(
            {
                "mcpServers": {
                    "theirs": {"command": sys.executable, "args": [str(FAULT_SERVER), "ok"], "env": {"A": "${HOME}"}}
                }
            }
        )
    )
    run(["mcp", "list", "--json"])
    assert output(capsys)[0]["state"] == "needs-trust"
    assert run(["mcp", "trust", "theirs", "--yes"]) == 0
    shown = capsys.readouterr().out
    assert str(FAULT_SERVER) in shown
    assert "HOME" in shown
    run(["mcp", "list", "--json"])
    assert output(capsys)[0]["state"] == "ready"
    text = (workspace / ".mcp.json").read_text()
    (workspace / ".mcp.json").write_text(text.replace('"ok"', '"ok", "junk"'))
    run(["mcp", "list", "--json"])
    assert output(capsys)[0]["state"] == "needs-trust"


@pytest.mark.parametrize(
    "command", [["trust", "--yes"], ["add", "x", "--", "y"], ["enable", "x"], ["import"], ["login", "x"]]
)
def test_nothing_inside_a_session_may_decide_what_is_started(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEWCODE_SESSION", "s1")
    assert run(["mcp", *command]) == 3


def test_a_server_is_switched_off_and_on(capsys: pytest.CaptureFixture[str]) -> None:
    run(["mcp", "add", "s", *fault("ok")])
    assert run(["mcp", "disable", "s"]) == 0
    capsys.readouterr()
    run(["mcp", "list", "--json"])
    assert output(capsys)[0]["state"] == "off"
    assert run(["mcp", "enable", "s"]) == 0


_DESKTOP = {"darwin": "Library/Application Support", "win32": "AppData/Roaming"}.get(sys.platform, ".config")
FOREIGN = {
    "claude-code": (".claude.json", {"mcpServers": {"a": {"type": "stdio", "command": "npx", "args": ["a"]}}}),
    "claude-desktop": (
        f"{_DESKTOP}/Claude/claude_desktop_config.json",
        {"globalShortcut": "", "mcpServers": {"e": {"command": "uvx", "args": ["e"], "env": {"E_KEY": "e-value"}}}},
    ),
    "cursor": (
        ".cursor/mcp.json",
        {"mcpServers": {"b": {"url": "https://b.example/mcp", "headers": {"X": "${env:B}"}}}},
    ),
    "gemini": (
        ".gemini/settings.json",
        {"mcpServers": {"c": {"httpUrl": "https://c.example/mcp", "excludeTools": ["z"]}}},
    ),
}


def test_the_servers_of_other_programs_are_taken_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "user"
    for name, content in FOREIGN.values():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(json.dumps(content))
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(
        '[mcp_servers.d]\nurl = "https://d.example/mcp"\nbearer_token_env_var = "D_TOKEN"\ntool_timeout_sec = 90\n'
    )
    assert run(["mcp", "import", "--json"]) == 0
    assert {(row["name"], row["outcome"]) for row in output(capsys)} == {(name, "added") for name in "abcde"}
    text = user_file().read_text().replace('"', "")
    added = ("X: ${B}", "Bearer ${D_TOKEN}", "timeout: 90s", "https://c.example/mcp", "deny: [z]", "E_KEY: e-value")
    for expected in added:
        assert expected in text
    assert run(["mcp", "import", "--json"]) == 0
    assert {row["outcome"] for row in output(capsys)} == {"kept ours"}


def test_comments_in_json_are_understood_and_a_broken_file_is_named(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / ".vscode").mkdir()
    (workspace / ".vscode" / "mcp.json").write_text(
        '{ // servers\n "servers": {"v": {"command": "x", "args": ["http://a//b", /* no */ "c",],},}}'
    )
    (workspace / ".cursor").mkdir()
    (workspace / ".cursor" / "mcp.json").write_text("{broken")
    assert run(["mcp", "import", "--dry-run", "--json"]) == 0
    captured = capsys.readouterr()
    assert [(row["name"], row["outcome"]) for row in json.loads(captured.out)] == [("v", "would be added")]
    assert ".cursor" in captured.err
    assert not user_file().exists()


def test_the_projects_allow_rules_are_shown_and_trusted_by_hash(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = workspace / ".mewcode.yaml"
    project.write_text("permissions:\n  - {rule: 'run_command(make *)', effect: allow}\n")
    assert run(["mcp", "trust", "--yes"]) == 0
    assert "1 allow rules of the project" in capsys.readouterr().err
    assert run(["policy", "why", "run_command(make all)", "--json"]) == 0
    assert output(capsys)["effect"] == "ask"
    assert run(["mcp", "trust", "--rules"]) == 3  # nobody is there to agree
    assert run(["mcp", "trust", "--rules", "--yes"]) == 0
    assert "allow run_command(make *)" in capsys.readouterr().out
    assert run(["policy", "why", "run_command(make all)", "--json"]) == 0
    assert output(capsys)["effect"] == "allow"
    project.write_text("permissions:\n  - {rule: 'run_command(*)', effect: allow}\n")
    assert run(["policy", "why", "run_command(make all)", "--json"]) == 0
    assert output(capsys)["effect"] == "ask"
    assert run(["mcp", "trust", "--rules", "--revoke"]) == 0
    assert "no longer trusted" in capsys.readouterr().err


def test_the_consent_to_rules_has_no_name_and_is_not_given_inside_a_session(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mcp", "trust", "name", "--rules"]) == 2
    monkeypatch.setenv("MEWCODE_SESSION", "s")
    assert run(["mcp", "trust", "--rules", "--yes"]) == 3
