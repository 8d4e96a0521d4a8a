"""`mewcode config`, as a person and as a script use it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mewcode.cli.commands import run

SETTINGS = """\
model: openai:a
providers: {mine: {base_url: "http://u:hunter22@h/v1", api_key: literal-key-1, headers: {X-Team: literal-header}}}
mcp_servers:
  a: {command: x, env: {TOKEN: "Bearer ${MY_TOKEN}"}}
  b: {command: y, env: {TOKEN: "${NOT_SET}"}}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    monkeypatch.setenv("MEWCODE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MY_TOKEN", "token-from-environment")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "home"


def out(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_show_names_each_value_with_its_file_and_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "config.yaml").write_text(SETTINGS)
    assert run(["config", "show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"model\topenai:a\t{home}/config.yaml:1:8" in lines
    assert f"mcp_servers.a.env.TOKEN\tBearer ${{MY_TOKEN}}\t{home}/config.yaml:4:32" in lines
    assert not [line for line in lines if line.endswith("default")]


def test_show_hides_every_secret(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "config.yaml").write_text(SETTINGS)
    for form in ([], ["--json"], ["--all"], ["providers"]):
        assert run(["config", "show", *form]) == 0
        printed = "".join(capsys.readouterr())
        for secret in ("token-from-environment", "literal-key-1", "literal-header", "hunter22"):
            assert secret not in printed
    assert "http://u:•••@h/v1" in printed


def test_show_knows_defaults_and_entries_that_cannot_be_used(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "config.yaml").write_text(SETTINGS)
    assert run(["config", "show", "--json"]) == 0
    rows = {row["key"]: row for row in out(capsys)}
    assert (rows["limits.per_minute"]["value"], rows["limits.per_minute"]["source"]) == (600, "default")
    assert rows["model"]["line"] == 1
    assert "NOT_SET" in rows["mcp_servers.b"]["problem"]


def test_show_takes_a_key(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["config", "show", "limits.breaker"]) == 0
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()] == [
        "limits.breaker.failures",
        "limits.breaker.window",
        "limits.breaker.open_for",
        "limits.breaker.slow_call",
    ]
    assert run(["config", "show", "limts"]) == 2
    assert "limts" in capsys.readouterr().err


def test_check_is_silent_about_good_files_and_exits_with_0(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "config.yaml").write_text("model: openai:a\n")
    assert run(["config", "check"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "1 file" in captured.err


@pytest.mark.parametrize(
    "text", ["limts: {}\n", "a: [\n", SETTINGS, "permissions: [{rule: '((', effect: deny}]", "a: 1\na: 2\n"]
)
def test_check_names_what_is_wrong_and_exits_with_2(home: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "config.yaml").write_text(text)
    assert run(["config", "check", "--json"]) == 2
    answer = out(capsys)
    assert not answer["ok"]
    assert answer["problems"][0]["file"] == f"{home}/config.yaml"
    assert answer["problems"][0]["line"] >= 1
    assert run(["config", "check"]) == 2
    assert f"{home}/config.yaml:" in capsys.readouterr().err


@pytest.mark.parametrize(
    "entry",
    [
        "rule: mcp__a__*, effect: deny",
        "rule: Bash(rm *), effect: deny",
        "rule: 'run_command(a)', effect: ask, match: [b]",
    ],
)
def test_a_rule_that_matches_nothing_is_an_error_of_check(
    home: Path, entry: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "config.yaml").write_text(f"mcp_servers: {{a: {{command: x}}}}\npermissions:\n  - {{{entry}}}\n")
    assert run(["config", "check", "--json"]) == 2
    answer = out(capsys)
    assert not answer["ok"]
    [problem] = answer["problems"]
    assert (problem["file"], problem["line"]) == (f"{home}/config.yaml", 3)
    assert run(["config", "check"]) == 2
    assert "1 error(s)" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["directory", "fifo", "binary", "huge"])
@pytest.mark.parametrize("name", [".mewcode.yaml", ".mcp.json"])
def test_a_strange_project_file_is_an_error_of_check_and_stops_nothing(
    home: Path, kind: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path.cwd() / name
    if kind == "directory":
        file.mkdir()
    elif kind == "fifo":
        os.mkfifo(file)
    else:
        file.write_bytes(b"\xff\xfe\x00" if kind == "binary" else b"x: y\n" * 2**21)
    assert run(["config", "check"]) == 2
    assert str(file) in capsys.readouterr().err
    assert run(["config", "show"]) == 0


def test_what_a_project_may_not_set_is_a_warning(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(".mewcode.yaml").write_text("sandbox: off\nroles: {a: {tools: ['*']}}\n")
    assert run(["config", "check", "--json"]) == 0
    assert [(p["severity"], p["key"]) for p in out(capsys)["problems"]] == [
        ("warning", "sandbox.mode"),
        ("warning", "roles"),
    ]


def test_a_broken_managed_file_ends_with_2(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "policy.yaml").write_text("mode: [")
    monkeypatch.setenv("MEWCODE_MANAGED_CONFIG", str(tmp_path / "policy.yaml"))
    assert run(["config", "show"]) == 2
    assert "policy.yaml:1:" in capsys.readouterr().err


def test_path_lists_the_files_the_strongest_first(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "config.yaml").write_text("")
    assert run(["config", "path", "--json"]) == 0
    assert [(row["scope"], row["exists"]) for row in out(capsys)] == [
        ("project", False),
        ("user", True),
        ("mcp_json", False),
    ]


def test_schema_is_json_schema_and_markdown_is_the_reference(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["config", "schema"]) == 0
    assert out(capsys)["properties"]["model"]["description"]
    assert run(["config", "schema", "--markdown"]) == 0
    assert "| `per_minute` |" in capsys.readouterr().out


def test_messages_speak_chinese_to_whoever_reads_it(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEWCODE_LANG", "zh_CN.UTF-8")
    (home / "config.yaml").write_text("limts: {}\n")
    assert run(["config", "check"]) == 2
    assert "是否想写“limits”" in capsys.readouterr().err
