"""The examples of docs/rules.md, as they stand there, through `mewcode policy`."""

import json
import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mewcode.cli.policy import app

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
RULES, ROLES, TABLE = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
PEOPLE = """\
mcp_servers: {github: {command: "true"}, docs: {command: "true"}}
principals: {alice: {roles: [admin]}, dora: {roles: [developer]}, otto: {roles: [owner]}}
"""
WHY = (
    ("mcp_github_list_issues", "alice", "allow", "mcp_github_*(*)"),
    ("mcp_github_delete_repository", "alice", "deny", "mcp_*_delete_*(*)"),
    ("mcp_docs_delete_page", "alice", "deny", "mcp_*_delete_*(*)"),
    ("run_command(git push origin main)", "alice", "ask", "run_command(git push *)"),
    ("run_command(timeout 5 git push)", "alice", "ask", "run_command(git push *)"),
    ("run_command(git pushd)", "alice", "ask", None),
    ("read_file(private/a)", "alice", "deny", "read_file(private/**)"),
    ("run_command(cat private/a)", "alice", "deny", "read_file(private/**)"),
    ("read_file(public/a)", "alice", "allow", None),
    ("mcp_github_create_issue(repo=acme/x)", "alice", "allow", "mcp_github_*(*)"),
    ("read_file(src/a)", "dora", "allow", None),
    ("write_file(src/a)", "dora", "ask", None),
    ("write_file(setup.py)", "dora", "deny", None),
    ("run_command(rm a)", "dora", "deny", None),
    ("run_command(pytest)", "dora", "allow", None),
    ("mcp_docs_read", "dora", "deny", None),
    ("mcp_docs_read", "otto", "ask", None),
    ("write_file(setup.py)", "otto", "ask", None),
    ("write_file(.github/workflows/a.yml)", "otto", "deny", None),
    ("write_file(.github/workflows/a.yml)", "alice", "ask", None),
    ("run_command(rm -rf x)", "alice", "ask", None),
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings = Path(os.environ["MEWCODE_HOME"]) / "config.yaml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(f"{PEOPLE}{RULES}{ROLES}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("call", "who", "effect", "rule"), WHY)
def test_why_says_what_the_page_says(call: str, who: str, effect: str, rule: str | None) -> None:
    ran = CliRunner().invoke(app, ["why", call, "--as", who, "--json"])
    answer = json.loads(ran.stdout)
    assert answer["effect"] == effect, answer
    if rule is not None:
        assert answer["rule"] == rule
        assert re.search(r"config\.yaml:\d+", answer["source"])


@pytest.mark.usefixtures("place")
def test_the_rules_of_the_page_have_no_error() -> None:
    ran = CliRunner().invoke(app, ["check", "--json"])
    assert ran.exit_code == 0, ran.stdout
    # The narrower allow of the page says the same as the one above it.
    assert {problem["severity"] for problem in json.loads(ran.stdout)} <= {"warning", "note"}


def test_the_table_of_the_page_holds(place: Path) -> None:
    table = place / "table.yaml"
    table.write_text(TABLE)
    ran = CliRunner().invoke(app, ["test", str(table)])
    assert ran.exit_code == 0, ran.output


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("rules", "exit_code", "says"),
    [
        ('{rule: "run_comand(x)", effect: deny}', 2, "run_command"),
        ('{rule: "read_file(paht=x)", effect: deny}', 2, "path"),
        ('{rule: "mcp_gihub_*", effect: deny}', 2, "github"),
        (
            '{rule: "run_command(rm *)", effect: deny}, {rule: "run_command(rm x)", effect: allow}',
            0,
            "run_command(rm x)",
        ),
        ('{rule: "run_command(ls *)", effect: allow, match: ["rm x"]}', 2, "rm x"),
        ('{rule: "run_command(ls *)", effect: allow, not_match: ["ls x"]}', 2, "ls x"),
    ],
    ids=["no such tool", "no such key", "no such server", "shadowed", "match fails", "not_match fails"],
)
def test_check_names_rules_that_are_dead_shadowed_or_impossible(rules: str, exit_code: int, says: str) -> None:
    settings = Path(os.environ["MEWCODE_HOME"]) / "config.yaml"
    settings.write_text(f"{PEOPLE}permissions: [{rules}]\n{ROLES}")
    ran = CliRunner().invoke(app, ["check"])
    assert ran.exit_code == exit_code, ran.output
    assert says in ran.output
