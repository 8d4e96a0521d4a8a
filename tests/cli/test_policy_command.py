"""`mewcode policy` from the outside."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SETTINGS = """\
mcp_servers:
  my: {command: "true"}
  my_server: {command: "true"}
permissions:
  - {rule: "run_command(rm *)", effect: deny, reason: "by hand only"}
  - {rule: "mcp_my_server_*", effect: allow}
  - {rule: "run_command(rm x)", effect: allow}
roles: {dev: {tools: [read_file], read: ["src/**"]}}
principals: {bob: {roles: [dev]}}
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    home = Path(os.environ["MEWCODE_HOME"])
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(SETTINGS)
    return tmp_path


def policy(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mewcode", "policy", *arguments]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120)


def test_why_names_the_rule_and_its_line(place: Path) -> None:
    answer = json.loads(policy(place, "why", "run_command(/bin/rm -rf x)", "--json").stdout)
    assert answer["effect"] == "deny"
    assert answer["rule"] == "run_command(rm *)"
    assert "config.yaml:5" in answer["source"]
    assert answer["reason"] == "by hand only"
    assert "config.yaml:5" in answer["changes"][0]


def test_why_judges_as_somebody_else(place: Path) -> None:
    assert policy(place, "why", "read_file(a)").stdout.startswith("allow")
    assert policy(place, "why", "read_file(a)", "--as", "bob").stdout.startswith("deny")
    assert policy(place, "why", "read_file(src/a)", "--as", "bob").stdout.startswith("allow")


def test_check_names_shadowed_and_ambiguous_rules_and_fails_on_impossible_ones(place: Path) -> None:
    found = policy(place, "check", "--json")
    rules = {problem["rule"] for problem in json.loads(found.stdout)}
    assert rules == {"mcp_my_server_*", "run_command(rm x)"}
    assert found.returncode == 0
    settings = Path(os.environ["MEWCODE_HOME"]) / "config.yaml"
    settings.write_text(SETTINGS.replace("run_command(rm x)", "run_comand(x)"))
    broken = policy(place, "check")
    assert broken.returncode == 2
    assert "Nearest: run_command" in broken.stdout


def test_a_table_of_expectations_passes_or_fails(place: Path) -> None:
    table = place / "table.yaml"
    table.write_text('- {call: "run_command(rm a)", effect: deny}\n- {call: "read_file(a)", effect: deny, as: bob}\n')
    assert policy(place, "test", str(table)).returncode == 0
    table.write_text('- {call: "run_command(rm a)", effect: allow}\n')
    failed = policy(place, "test", str(table), "--json")
    assert failed.returncode == 1
    assert json.loads(failed.stdout)[0]["ok"] is False
    table.write_text("call: x")
    assert policy(place, "test", str(table)).returncode == 2


def test_rules_of_the_project_that_wait_for_consent_are_named_with_the_command_that_gives_it(place: Path) -> None:
    (place / ".mewcode.yaml").write_text('permissions: [{rule: "write_file(*)", effect: allow}]\n')
    before = policy(place, "why", "write_file(a.txt)")
    assert before.stdout.startswith("ask")
    assert "which do not count until you trust them" in before.stderr
    [command] = re.findall(r"`mewcode (mcp trust [^`]+)`", before.stderr)
    trusting = [sys.executable, "-m", "mewcode", *command.split(), "--yes"]
    assert subprocess.run(trusting, cwd=place, capture_output=True, timeout=120).returncode == 0
    after = policy(place, "why", "write_file(a.txt)")
    assert (after.stdout.startswith("allow"), after.stderr) == (True, "")


def test_why_and_test_know_the_tools_that_come_with_the_servers(place: Path) -> None:
    for call, effect in (
        ("read_resource(server=my_server, uri=docs://a)", "ask"),
        ("read_resource(server=my_server, uri=file:///etc/passwd)", "deny"),
        ("list_resources", "ask"),
        ("get_prompt(server=my, prompt=p)", "ask"),
        ("tool_search(github)", "allow"),
        ("sample_model(my)", "ask"),
    ):
        answer = json.loads(policy(place, "why", call, "--json").stdout)
        assert "there is no tool" not in answer["reason"], call
        assert answer["effect"] == effect, call
    allowed = ("--allow", "read_resource(server=my_server)")
    assert policy(place, "why", "read_resource(server=my_server, uri=docs://a)", *allowed).stdout.startswith("allow")
    assert policy(place, "why", "read_resource(server=my, uri=docs://a)", *allowed).stdout.startswith("ask")
    assert "there is no tool" in policy(place, "why", "read_resourse(server=my)").stdout
    table = place / "table.yaml"
    table.write_text("- {call: 'get_prompt(server=my)', effect: ask}\n")
    assert policy(place, "test", str(table)).returncode == 0
