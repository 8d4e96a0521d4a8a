"""A denied command, rewritten at random: whatever the rules let through is run for real and must not remove or make
the file. 500 examples each; 20,000 with MEWCODE_LONG_TESTS."""

import json
import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.governance.commands.decision import decide, run_bash
from tests.governance.commands.spellings import FILE_SPELLINGS, LINE_REWRITES, NAME_SPELLINGS, rewritten, soups

from mewcode.governance.commands import Analysis, analyse

EXAMPLES = 20_000 if os.environ.get("MEWCODE_LONG_TESTS") else 500
ALLOWED = json.loads((Path(__file__).parents[2] / "cases" / "permissions.json").read_text())["allow_only"]["allowed"]
many = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),
    database=None,
)


class Ground:
    """A workspace that is made anew whenever a line has changed it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)
        self.restore()

    def restore(self) -> None:
        for path in self.root.iterdir():
            if path.name != ".git" and path.is_file():
                path.unlink()
        (self.root / "README.md").write_text("hello\n")
        (self.root / "VICTIM").write_text("here\n")

    def run(self, line: str) -> None:
        with suppress(subprocess.TimeoutExpired, ValueError):
            run_bash(line, self.root)

    @property
    def removed(self) -> bool:
        return not (self.root / "VICTIM").exists()

    @property
    def marked(self) -> bool:
        return (self.root / "MARKER").exists()


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    yield Ground(tmp_path_factory.mktemp("ground"))


@many
@given(line=rewritten("rm", "VICTIM"))
def test_no_rewriting_of_a_denied_removal_removes(ground: Ground, line: str) -> None:
    if decide(line, allow=["*"], deny=["rm *"], cwd=str(ground.root)) == "allow":
        ground.run(line)
        removed = ground.removed
        ground.restore()
        assert not removed, line


@many
@given(line=rewritten("touch", "MARKER"))
def test_no_rewriting_of_an_unlisted_command_acts(ground: Ground, line: str) -> None:
    if decide(line, allow=ALLOWED, cwd=str(ground.root)) == "allow":
        ground.run(line)
        marked = ground.marked
        ground.restore()
        assert not marked, line


@many
@given(line=soups())
def test_no_soup_of_shell_pieces_removes(ground: Ground, line: str) -> None:
    if decide(line, allow=["*"], deny=["rm *"], cwd=str(ground.root)) == "allow":
        ground.run(line)
        removed = ground.removed
        ground.restore()
        assert not removed, line


@many
@given(line=soups())
def test_the_analysis_of_any_text_ends_without_an_error(line: str) -> None:
    assert isinstance(analyse(line), Analysis)


def test_the_rewritings_do_remove_when_nobody_stops_them(ground: Ground) -> None:
    """Else the tests above would prove nothing."""
    chance = random.Random(7)
    removed = 0
    lines = [f"{spell('rm')} VICTIM" for spell in NAME_SPELLINGS] + [
        f"rm {spell('VICTIM')}" for spell in FILE_SPELLINGS
    ]
    lines += [rewrite("rm VICTIM") for rewrite in LINE_REWRITES]
    for line in chance.sample(lines, 60):
        ground.run(line)
        removed += ground.removed
        ground.restore()
    assert removed >= 48
