"""Where there is nobody to ask, the answer is no, and the record says so."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.security.house import options

from mewcode.app.asked import through
from mewcode.app.house import open_app
from mewcode.calls import ErrorKind, ToolCall
from mewcode.governance.audit.query import AuditFilter
from mewcode.governance.audit.reader import AuditReader

pytestmark = pytest.mark.anyio


async def test_a_question_to_nobody_is_a_refusal_in_the_audit(tmp_path: Path) -> None:
    async with open_app(options(tmp_path)) as app:
        call = ToolCall("run_command", {"command": "touch a"}, "s1", app.principal)
        result = await through(app.gate, call, None)
        url = f"sqlite:///{app.paths.audit}"
    assert result.error is not None
    assert result.error.kind is ErrorKind.REFUSED
    assert "--allow 'run_command(touch" in result.text
    assert not (tmp_path / "a").exists()
    question, refused = reversed(AuditReader(url).list(AuditFilter(events=True)))
    assert (question["kind"], question["name"]) == ("event", "question")
    assert (refused["tool"], refused["outcome"]) == ("run_command", "refused")
    assert "nobody to ask" in refused["error"]


@pytest.mark.parametrize(
    ("line", "allowed", "way"),
    [
        ("rm a", (), "--allow 'run_command(rm a)'"),
        ("rm a", ("run_command(rm *)",), "--confirm 'run_command(rm *)'"),
        ("$(cat a) b", (), "`mewcode policy why` says what would change it"),
    ],
)
async def test_whoever_was_refused_is_told_the_option_that_works(
    tmp_path: Path, line: str, allowed: tuple[str, ...], way: str
) -> None:
    async with open_app(replace(options(tmp_path), allow=allowed)) as app:
        result = await through(app.gate, ToolCall("run_command", {"command": line}, "s1", app.principal), None)
    assert way in result.text
    assert ".." not in result.text
