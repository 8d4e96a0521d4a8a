"""A small model's every write and command is asked about; only a rule that somebody wrote spares the question."""

from pathlib import Path

import pytest
from tests.security.house import converse, options, write_settings

from mewcode.app.house import open_app
from mewcode.models import ModelProfile
from mewcode.models.local.model import PROFILE

pytestmark = pytest.mark.anyio
CALLS = [
    ("read_file", {"path": "a.txt"}),
    ("run_command", {"command": "ls"}),
    ("write_file", {"path": "b.txt", "content": "x"}),
]
SMALL = ModelProfile(ask_for_everything=True)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("hello\n")
    return tmp_path


def test_the_embedded_model_is_one_whose_every_write_and_command_is_asked_about() -> None:
    assert PROFILE.ask_for_everything


async def test_what_a_default_would_let_run_is_asked_about_and_reading_is_not(workspace: Path) -> None:
    write_settings("sandbox: 'off'\nmode: accept-edits\n")
    async with open_app(options(workspace)) as app:
        asked, results = await converse(app, CALLS, profile=SMALL)
    assert [question.tool for question in asked] == ["run_command", "write_file"]
    assert all("this model" in question.reasons[0] for question in asked)
    assert not results[0].is_error
    assert not (workspace / "b.txt").exists()


async def test_another_model_in_the_same_house_is_not_asked(workspace: Path) -> None:
    write_settings("sandbox: 'off'\nmode: accept-edits\n")
    async with open_app(options(workspace)) as app:
        await converse(app, CALLS, profile=SMALL)
        asked, results = await converse(app, CALLS, profile=ModelProfile())
    assert asked == []
    assert not any(result.is_error for result in results)


async def test_rules_of_the_user_still_allow(workspace: Path) -> None:
    write_settings(
        """
        sandbox: 'off'
        permissions:
          - {rule: "run_command(ls)", effect: allow}
          - {rule: "write_file(/b.txt)", effect: allow}
        """
    )
    async with open_app(options(workspace)) as app:
        asked, results = await converse(app, CALLS, profile=SMALL)
    assert asked == []
    assert not any(result.is_error for result in results)
    assert (workspace / "b.txt").read_text() == "x"
