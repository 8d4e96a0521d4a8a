"""A rule that closes a path holds for commands that read whatever lies beneath a folder, sandbox or not."""

import subprocess
from pathlib import Path

import pytest
from tests.governance.house import House, allow, ask, build, deny

from mewcode.calls import Effect, Question, ToolResult
from mewcode.governance.rules import contents

pytestmark = pytest.mark.anyio
READING = (
    "grep -r key .",
    "grep -R key",
    "grep --recursive key ./",
    "grep -nri key a secrets",
    "grep -d recurse key .",
    "egrep -r key .",
    "rg key",
    "rg key .",
    "rg -e key",
    "rg --files-with-matches key deep/..",
    "ag key",
    "git grep key",
    "diff -r . /tmp/other",
    "cat secrets/key",
    "tar c .",
    "tar cf all.tar .",
    "tar -cf all.tar -C secrets .",
    "tar -czf - a secrets | cat",
    "zip -r all.zip .",
    "7z a all.7z .",
    "cp -r . ../copy",
    "cp -a ./ ../copy",
    "mv secrets open",
    "ln -s . here; cat here/secrets/key",
    "ln -sfn ./ here && cat here/secrets/key",
    "mkdir d; ln -s -t d .. ; cat d/workspace/secrets/key",
    "rsync -a ./ ../copy/",
    "scp -r . host:copy",
    "cd deep && grep -r key ..",
    "bash -c 'cd .. && grep -r key workspace'",
    "timeout 5 grep -r key .",
    "ls; (grep -r key . | head)",
    "grep -R key links",
)
UNKNOWN = (
    "cat */key",
    "cat secrets/*",
    "find . -maxdepth 0 -exec grep -r key {} +",
    "cat s*/*",
    "find . -type f -exec cat {} +",
    "find . -type f | xargs cat",
    'for f in */*; do cat "$f"; done',
    "tar -cf all.tar -T list",
    "ls | cpio -o",
)
ELSEWHERE = (
    "grep -r key a",
    "grep key a/b.txt",
    "grep -r key a deep",
    "rg key a",
    "cat a/b.txt | rg key",
    "ls -R .",
    "find . -name '*.txt'",
    "du -s .",
    "diff -r a deep",
    "wc -l a/b.txt",
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    for name in ("secrets/key", "a/b.txt", "deep/c.txt", "links/d.txt", "list"):
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        (root / name).write_text("key\n")
    (root / "links" / "in").symlink_to("../secrets")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def house(workspace: Path, *more: object) -> House:
    return build(workspace, [allow("run_command(*)"), *more])  # type: ignore[list-item]


@pytest.mark.parametrize("line", READING)
@pytest.mark.parametrize("pattern", ["secrets/**", "/secrets/key", "key", "**/secrets/*", "SECRETS/"])
async def test_a_line_that_reads_all_beneath_is_denied_where_a_deny_closes_something_there(
    workspace: Path, line: str, pattern: str
) -> None:
    reply = await house(workspace, deny(f"read_file({pattern})")).call("run_command", {"command": line})
    assert isinstance(reply, ToolResult)
    assert reply.error is not None
    assert "Refused" in reply.text


@pytest.mark.parametrize("line", READING)
async def test_it_is_asked_about_where_a_rule_asks(workspace: Path, line: str) -> None:
    reply = await house(workspace, ask("read_file(secrets/**)")).call("run_command", {"command": line})
    assert isinstance(reply, Question)


@pytest.mark.parametrize("line", UNKNOWN)
@pytest.mark.parametrize("pattern", ["secrets/**", "/secrets/key"])
async def test_what_is_known_only_as_it_runs_is_never_let_through(workspace: Path, line: str, pattern: str) -> None:
    here = house(workspace, deny(f"read_file({pattern})"))
    reply = await here.call("run_command", {"command": line})
    assert isinstance(reply, Question) or reply.error is not None


@pytest.mark.parametrize("line", ELSEWHERE)
async def test_reading_elsewhere_and_listing_names_go_on(workspace: Path, line: str) -> None:
    reply = await house(workspace, deny("read_file(secrets/**)")).call("run_command", {"command": line})
    assert isinstance(reply, ToolResult)
    assert "Refused" not in reply.text


@pytest.mark.parametrize("line", ["ln -s a here", "ln -s a/b.txt c.txt && cat c.txt"])
async def test_a_link_to_what_is_open_is_confirmed_and_not_denied(workspace: Path, line: str) -> None:
    asked = await house(workspace, deny("read_file(secrets/**)")).question("run_command", {"command": line})
    assert asked.decision.effect is Effect.ALLOW


async def test_without_a_rule_that_closes_anything_nothing_is_looked_up(workspace: Path) -> None:
    assert isinstance(await house(workspace).call("run_command", {"command": "grep -r key ."}), ToolResult)
    assert isinstance(await build(workspace).call("run_command", {"command": "grep -r key ."}), ToolResult)


@pytest.mark.parametrize("rules", [(), (allow("run_command(*)"),)], ids=["by default", "by rule"])
async def test_a_folder_too_large_to_look_through_is_asked_about(
    workspace: Path, rules: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "MOST", 2)
    here = build(workspace, [*rules, deny("read_file(zzz/**)")])  # type: ignore[list-item]
    asked = await here.question("run_command", {"command": "grep -r key ."})
    assert asked.decision.effect is Effect.ASK
    assert "more beneath" in asked.reasons[0]


async def test_hidden_files_are_no_matter_to_a_search_that_passes_them_over(workspace: Path) -> None:
    (workspace / ".env").write_text("key\n")
    here = house(workspace, deny("read_file(.env)"))
    assert isinstance(await here.call("run_command", {"command": "rg key"}), ToolResult)
    for line in ("rg --hidden key", "rg -uu key", "grep -r key ."):
        refused = await here.result("run_command", {"command": line})
        assert refused.error is not None, line


async def test_where_a_sandbox_hides_what_is_closed_the_command_runs(workspace: Path) -> None:
    rules = [allow("run_command(*)"), deny("read_file(secrets/**)")]
    here = build(workspace, rules, policy={"hides": lambda: True})
    assert (await here.result("run_command", {"command": "grep -r key ."})).error is None
    assert (await here.result("run_command", {"command": "grep -r key secrets"})).error is not None
