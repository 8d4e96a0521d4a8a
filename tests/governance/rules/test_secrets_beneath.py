"""Files that usually hold secrets are asked about, too, where a command reaches them without naming them."""

import re
import subprocess
from pathlib import Path

import pytest
from tests.governance.house import House, allow, build

from mewcode.calls import Effect, Question, ToolResult
from mewcode.governance.request import Request
from mewcode.governance.rules import contents

pytestmark = pytest.mark.anyio
EVERY_COMMAND = allow("run_command(*)")
REACHING = (
    "grep -r key .",
    "grep -R key",
    "cd src && grep -r key ..",
    "timeout 5 grep -rn key .",
    "rg --hidden key",
    "rg -uu key",
    "git grep --no-index key",
    "git grep --untracked key",
    "diff -r . src",
    "cat .*",
    "cat .e*",
    "cat .en?",
    "cat */.env.local",
    "cat src/.e*",
    "head -5 ./.e*v",
    "grep -r key --include='*.e*' .",
    "grep -r key --include='*.py' --exclude=x .",
    "grep -r key --exclude='*.py' .",
    "rg --hidden key -g '*env'",
    "rg --hidden key -g '*.py' -g '!b'",
    "grep -r key *",
    "tar c .",
    "cp -r . copy",
    "zip -r all.zip .",
)
KNOWN_LATER = (
    "find . -type f | xargs cat",
    "find . -name '*.py' -o -name '.env' | xargs cat",
    "find . -name '.e*' -exec cat {} +",
    "find . -type f -exec cat {} +",
    "find . -name '*.py' -printf '.env\\n' | xargs cat",
    "find . -name '*.py' -exec echo .env ';' | xargs cat",
    "ls -a | xargs cat",
    "ls -a | head -3 | xargs -I{} cat {}",
    "git ls-files --others | xargs cat",
    "git ls-files | sed s/a.py/.env/ | xargs cat",
    "grep -rh key src | xargs cat",
    "cat $(ls -a)",
    'for f in .e*; do cat "$f"; done',
    "cd $D && cat .env",
    "cat $X",
)
NAMING = re.compile(r"cat (\*/)?\.env|echo \.env")
"""These say the name."""
HARMLESS = (
    "grep -r key src/deep",
    "grep -rn key --include='*.py' .",
    "grep -rn key --exclude='.env*' .",
    "grep -rn '.env' src/deep",
    "grep -rn -e .env src/deep",
    "rg key",
    "rg .env",
    "rg --hidden key -g '*.py'",
    "git grep key",
    "git grep .env",
    "cat *",
    "wc -l src/*.py",
    "wc -l src/*.py | sort -n | tail -3",
    "grep key *.md src/*",
    "head -5 ./*/a.py",
    "ls -R",
    "find . -name '*.py'",
    "du -a .",
    "cat .gitignor*",
)
HARMLESS_LATER = (
    "find . -name '*.py' | xargs grep key",
    "find . -name '*.py' -print0 | sort -z | xargs -0 wc -l",
    "find . -name '*.py' -exec wc -l {} +",
    "find src/deep -type f | head -3 | xargs cat",
    "git ls-files | xargs grep -n key",
    "git ls-files | grep -v md | xargs -I{} cat {}",
    "grep -rl key src/deep | xargs cat",
    "cd $D && cat README.md",
    "ls | wc -l",
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    files = (".env", "src/.env.local", "src/a.py", "src/deep/b.py", "README.md", ".gitignore", "node_modules/x/ca.pem")
    for name in files:
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        (root / name).write_text("key\n")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def effect(house: House, line: str) -> tuple[str, str]:
    from mewcode.calls import Principal

    tool = house.registry.get("run_command")
    assert tool is not None
    decision = house.gate.policy.decide(Request(tool, {"command": line}, Principal("alice"), (house.workspace,)))
    return decision.effect.value, decision.reason


@pytest.mark.parametrize("line", REACHING)
def test_a_command_that_reaches_one_is_asked_about_by_default_and_where_a_rule_allows_it(
    workspace: Path, line: str
) -> None:
    assert effect(build(workspace), line)[0] == "ask"
    asked, reason = effect(build(workspace, [EVERY_COMMAND]), line)
    assert asked == "ask"
    assert "usually holds secrets" in reason


@pytest.mark.parametrize("line", KNOWN_LATER)
def test_one_that_may_reach_it_is_asked_about_though_a_rule_allows_every_command(workspace: Path, line: str) -> None:
    assert effect(build(workspace), line)[0] == "ask"
    asked, reason = effect(build(workspace, [EVERY_COMMAND]), line)
    assert asked == "ask"
    assert "usually holds secrets" in reason or "no rule can allow it" in reason


@pytest.mark.parametrize("line", HARMLESS)
def test_one_that_reaches_none_runs_unasked(workspace: Path, line: str) -> None:
    assert effect(build(workspace), line)[0] == "allow"


@pytest.mark.parametrize("line", [*HARMLESS, *HARMLESS_LATER])
def test_nor_is_it_asked_about_where_a_rule_allows_it(workspace: Path, line: str) -> None:
    assert effect(build(workspace, [EVERY_COMMAND]), line)[0] == "allow"


@pytest.mark.parametrize("line", [line for line in (*REACHING, *KNOWN_LATER) if not NAMING.search(line)])
def test_where_none_lies_beneath_a_rule_allows_it(workspace: Path, line: str) -> None:
    (workspace / ".env").unlink()
    (workspace / "src" / ".env.local").unlink()
    _, reason = effect(build(workspace, [EVERY_COMMAND]), line)
    assert "secrets" not in reason


def test_a_rule_that_names_the_file_opens_it(workspace: Path) -> None:
    (workspace / "src" / ".env.local").unlink()
    rules = [EVERY_COMMAND, allow("read_file(.env)")]
    assert effect(build(workspace, rules), "grep -r key .")[0] == "allow"
    assert effect(build(workspace, [EVERY_COMMAND, allow("read_file(**)")]), "grep -r key .")[0] == "ask"


def test_a_sandbox_hides_what_rules_close_and_no_secrets(workspace: Path) -> None:
    house = build(workspace, [EVERY_COMMAND], policy={"hides": lambda: True})
    assert effect(house, "grep -r key .")[0] == "ask"


def test_a_link_is_followed(workspace: Path) -> None:
    (workspace / "src" / "deep" / "plain.txt").symlink_to("../../.env")
    assert effect(build(workspace, [EVERY_COMMAND]), "grep -R key src/deep")[0] == "ask"
    assert effect(build(workspace, [EVERY_COMMAND]), "cat src/deep/*.txt")[0] == "ask"


def test_a_wildcard_stands_for_what_lies_there_and_is_no_way_out(workspace: Path) -> None:
    (workspace / "src" / "out").symlink_to("/etc")
    assert effect(build(workspace), "cat src/*/hostname")[0] == "ask"
    (workspace.parent / "outside").write_text("x")
    assert effect(build(workspace), "cat ../*")[0] == "ask"
    assert effect(build(workspace), "cat src/[ab].py")[0] == "ask"


async def test_a_line_that_acts_may_make_what_its_wildcards_stand_for(workspace: Path) -> None:
    rules = [allow("run_command(ln *)"), allow("write_file(**)")]
    asked = await build(workspace, rules).question(
        "run_command", {"command": "ln -s /etc/hosts src/z.py; cat src/*.py"}
    )
    assert asked.decision.effect is Effect.ASK


def test_a_vast_folder_is_looked_through_from_the_top_and_no_further(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        (workspace / "src" / "deep" / f"f{number}").write_text("x")
    monkeypatch.setattr(contents, "MOST", 20)
    assert effect(build(workspace), "grep -r key .")[0] == "ask"
    (workspace / ".env").unlink()
    (workspace / "src" / ".env.local").unlink()
    assert effect(build(workspace), "grep -r key .")[0] == "allow"


async def test_always_is_not_offered_where_it_would_spare_no_question(workspace: Path) -> None:
    asked = await build(workspace).question("run_command", {"command": "grep -r key ."})
    assert asked.suggestion is None
    named = await build(workspace).question("run_command", {"command": "cat .env"})
    assert named.suggestion is None or ".env" in named.suggestion.rule
    assert isinstance(await build(workspace).call("run_command", {"command": "cat *.md"}), ToolResult)
    assert not isinstance(asked, ToolResult) and isinstance(asked, Question)
