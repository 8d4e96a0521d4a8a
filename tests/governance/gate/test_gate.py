"""The road through the gate."""

from pathlib import Path

import pytest
from tests.governance.house import allow, build, deny, no, yes
from tests.governance.tools import RemoteTool

from mewcode.calls import ErrorKind, QuestionKind
from mewcode.governance.audit.port import Outcome

pytestmark = pytest.mark.anyio


async def test_a_read_inside_the_workspace_runs_unasked(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    house = build(tmp_path)
    result = await house.result("read_file", {"path": "a.txt"})
    assert result.text == "hello"
    assert [record.end.outcome for record in house.audit.records if record.end] == [Outcome.OK]


async def test_a_write_asks_and_runs_once_it_is_approved(tmp_path: Path) -> None:
    house = build(tmp_path)
    question = await house.question("write_file", {"path": "a.txt", "content": "x"})
    assert question.kind is QuestionKind.APPROVAL
    assert not (tmp_path / "a.txt").exists()
    result = await house.result("write_file", {"path": "a.txt", "content": "x"}, answer=yes(question))
    assert not result.is_error
    assert (tmp_path / "a.txt").read_text() == "x"


async def test_an_answer_is_good_once(tmp_path: Path) -> None:
    house = build(tmp_path)
    arguments = {"path": "a.txt", "content": "x"}
    question = await house.question("write_file", arguments)
    await house.result("write_file", arguments, answer=yes(question))
    again = await house.result("write_file", arguments, answer=yes(question))
    assert again.error is not None
    assert again.error.kind is ErrorKind.REFUSED


async def test_a_declined_call_tells_the_model_why(tmp_path: Path) -> None:
    house = build(tmp_path)
    question = await house.question("write_file", {"path": "a.txt", "content": "x"})
    result = await house.result("write_file", {"path": "a.txt", "content": "x"}, answer=no(question, "use b.txt"))
    assert "use b.txt" in result.text
    assert house.audit.records[-1].end is not None
    assert house.audit.records[-1].end.outcome is Outcome.REFUSED


async def test_an_allowed_mcp_tool_runs_and_a_denied_one_is_not_there(tmp_path: Path) -> None:
    tools = [RemoteTool("github", "get_issue"), RemoteTool("github", "secret")]
    house = build(tmp_path, [allow("mcp_github_*(*)"), deny("mcp_github_secret")], tools=tools)
    assert (await house.result("mcp_github_get_issue")).text == "done"
    forbidden = await house.result("mcp_github_secret")
    unknown = await house.result("mcp_github_secrex")
    assert forbidden.error is not None
    assert unknown.error is not None
    assert forbidden.error.kind is unknown.error.kind is ErrorKind.UNKNOWN_TOOL


async def test_bad_arguments_name_the_field(tmp_path: Path) -> None:
    house = build(tmp_path)
    result = await house.result("write_file", {"path": 3, "content": "x"})
    assert result.error is not None
    assert result.error.kind is ErrorKind.INVALID_ARGUMENTS
    assert "path" in result.text
