"""A change of directory may fail: what follows is judged in every folder that it may run in."""

from pathlib import Path

import pytest
from tests.governance.house import allow, build, deny

from mewcode.calls import Effect, Principal
from mewcode.governance.request import Request

CLOSED = (
    "cd nope; cat secrets/key",
    "cd nope\ncat secrets/key",
    "cd nope || cat secrets/key",
    "cd nope && ls; cat secrets/key",
    "cd nope && ls || cat secrets/key",
    "cd nope && cd nope || cat secrets/key",
    "! cd nope && cat secrets/key",
    "! cd nope; cat secrets/key",
    "if cd nope; then ls; else cat secrets/key; fi",
    "{ cd nope; }; cat secrets/key",
    "{ cd nope; ls; } && cat secrets/key",
    "(cd src); cat secrets/key",
    "cd src & cat secrets/key",
    "cd src && ls & cat secrets/key",
    "cd src | cat secrets/key",
    "cd src a.py; cat secrets/key",
    "cd -x src; cat secrets/key",
    "cd src/a.py; cat secrets/key",
    "cd src; cd nope; cat ../secrets/key",
    "cd nope; cd src; cat ../secrets/key",
    "env cd src; cat secrets/key",
    "env cd src && cat secrets/key",
    "timeout 5 cd src && cat secrets/key",
    "rmdir src; cd src; cat secrets/key",
    "mv src other; cd src; cat secrets/key",
    "cd nope; cat secrets/*",
    "cd nope; cat se*/key",
    "cd nope; grep -r k secrets",
    "cd nope; cat < secrets/key",
    "cd nope; echo x > secrets/key",
    "cd nope; touch secrets/new",
    "cd nope; bash -c 'cat secrets/key'",
    "cd nope; find secrets -type f -exec cat {} +",
)
OPEN = (
    "cd src && cat a.py",
    "cd src; cat a.py",
    "cd src; cat secrets/key",
    "cd src && cat secrets/key",
    "cd ./src && cat ../README.md",
    "cd src; cat ../README.md",
    "cd src && ls && cat a.py && cat ../README.md",
    "cd src && cd .. && cat README.md",
    "(cd src && cat a.py); cat README.md",
    "command cd src; cat secrets/key",
    "cd nope && cat secrets/key",
    "cd -P src; cat a.py | sort",
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for name in ("secrets/key", "src/a.py", "README.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("k\n")
    return tmp_path


def effect(workspace: Path, line: str, *, every: bool) -> Effect:
    rules = [deny("read_file(/secrets/**)"), deny("write_file(/secrets/**)")]
    house = build(workspace, [*rules, *([allow("run_command(*)")] if every else [])])
    tool = house.registry.get("run_command")
    assert tool is not None
    request = Request(tool, {"command": line}, Principal("alice"), (house.workspace,))
    return house.gate.policy.decide(request).effect


@pytest.mark.parametrize("line", CLOSED)
def test_a_change_of_directory_that_may_fail_opens_nothing_that_a_rule_closes(workspace: Path, line: str) -> None:
    assert effect(workspace, line, every=True) is not Effect.ALLOW
    assert effect(workspace, line, every=False) is not Effect.ALLOW


@pytest.mark.parametrize("line", OPEN)
def test_one_that_succeeds_or_ends_the_line_leaves_the_rest_as_it_is(workspace: Path, line: str) -> None:
    assert effect(workspace, line, every=True) is Effect.ALLOW
    assert effect(workspace, line, every=False) is Effect.ALLOW


def test_many_changes_of_directory_make_the_folder_unknown(workspace: Path) -> None:
    line = "; ".join(f"cd d{number}" for number in range(30))
    assert effect(workspace, f"{line}; cat README.md", every=True) is Effect.ASK
