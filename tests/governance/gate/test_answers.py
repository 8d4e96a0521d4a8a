"""Questions and answers: bound to one call, good once, and never stronger than the rules."""

from pathlib import Path

import pytest
from tests.governance.house import ALICE, allow, ask, build, deny, no, rule, yes
from tests.governance.tools import RemoteTool

from mewcode.calls import Answer, ErrorKind, Principal, Question, QuestionKind, Remember, ToolResult
from mewcode.governance import Mode
from mewcode.governance.shared_questions import StoreQuestions
from mewcode.state.memory_store import MemoryStore

pytestmark = pytest.mark.anyio
WRITE = {"path": "a", "content": "x"}


def refused(result: ToolResult) -> bool:
    return result.error is not None and result.error.kind is ErrorKind.REFUSED


async def test_an_answer_fits_no_other_call(tmp_path: Path) -> None:
    house = build(tmp_path)
    for changed in (
        {"arguments": {"path": "b", "content": "x"}},
        {"principal": Principal("mallory")},
        {"session": "s2"},
    ):
        question = await house.question("write_file", WRITE)
        arguments = changed.pop("arguments", WRITE)
        assert refused(await house.result("write_file", arguments, answer=yes(question), **changed))
    assert not list(tmp_path.iterdir())


async def test_a_changed_definition_asks_again(tmp_path: Path) -> None:
    tool = RemoteTool("s", "t")
    house = build(tmp_path, tools=[tool])
    question = await house.question("mcp_s_t")
    tool.description = "Now does something else."
    assert refused(await house.result("mcp_s_t", answer=yes(question)))
    assert tool.calls == []


async def test_an_expired_question_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = build(tmp_path)
    question = await house.question("write_file", WRITE)
    monkeypatch.setattr("mewcode.governance.questions.time.time", lambda: question.expires_at + 1)
    assert refused(await house.result("write_file", WRITE, answer=yes(question)))


async def test_an_invented_answer_is_refused(tmp_path: Path) -> None:
    house = build(tmp_path)
    assert refused(await house.result("write_file", WRITE, answer=Answer("q_1", "f", allow=True)))


async def test_no_answer_beats_a_deny(tmp_path: Path) -> None:
    house = build(tmp_path, [deny("write_file(a)")])
    other = await house.question("write_file", {"path": "b", "content": "x"})
    assert refused(await house.result("write_file", WRITE, answer=yes(other)))


async def test_an_approval_for_the_session_is_not_asked_again_and_ends_with_it(tmp_path: Path) -> None:
    house = build(tmp_path)
    question = await house.question("write_file", WRITE)
    await house.result("write_file", WRITE, answer=yes(question, Remember.SESSION))
    assert isinstance(await house.call("write_file", {"path": "a", "content": "y"}), ToolResult)
    assert isinstance(await house.call("write_file", WRITE, session="s2"), Question)
    await house.gate.end_session("s1")
    assert isinstance(await house.call("write_file", WRITE), Question)
    assert house.remembered == []


async def test_a_tool_of_a_server_that_was_approved_for_the_session_takes_other_arguments_unasked(
    tmp_path: Path,
) -> None:
    house = build(tmp_path, tools=[RemoteTool("github", "comment"), RemoteTool("github", "label")])
    question = await house.question("mcp_github_comment", {"text": "one"})
    await house.result("mcp_github_comment", {"text": "one"}, answer=yes(question, Remember.SESSION))
    for text in ("two", "three", "four"):
        await house.result("mcp_github_comment", {"text": text})
    await house.question("mcp_github_label", {"text": "one"})


async def test_always_writes_the_narrowest_rule(tmp_path: Path) -> None:
    house = build(tmp_path)
    question = await house.question("run_command", {"command": "npm test"})
    await house.result("run_command", {"command": "npm test"}, answer=yes(question, Remember.ALWAYS))
    assert house.remembered == [("run_command(npm test)", str(house.workspace / "config.yaml"))]


async def test_a_managed_ask_is_never_remembered(tmp_path: Path) -> None:
    house = build(tmp_path, [ask("write_file", "managed")])
    question = await house.question("write_file", WRITE)
    assert question.suggestion is None
    await house.result("write_file", WRITE, answer=yes(question, Remember.ALWAYS))
    assert isinstance(await house.call("write_file", WRITE), Question)
    assert house.remembered == []


async def test_a_high_risk_call_is_confirmed_a_second_time(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    house = build(tmp_path)
    call = {"command": "rm x"}
    first = await house.question("run_command", call)
    second = await house.question("run_command", call, answer=yes(first))
    assert (first.kind, second.kind) == (QuestionKind.APPROVAL, QuestionKind.CONFIRMATION)
    assert "it deletes" in second.reasons
    assert refused(await house.result("run_command", call, answer=yes(first)))
    assert (tmp_path / "x").exists()
    assert not (await house.result("run_command", call, answer=yes(second))).is_error
    assert not (tmp_path / "x").exists()


async def test_an_allow_rule_spares_the_first_question_and_confirm_the_second(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    rules = [allow("run_command(rm *)", "command_line")]
    question = await build(tmp_path, rules).question("run_command", {"command": "rm x"})
    assert question.kind is QuestionKind.CONFIRMATION
    confirmed = build(tmp_path, rules, policy={"confirmed": (allow("run_command(rm *)"),)})
    assert not (await confirmed.result("run_command", {"command": "rm x"})).is_error


@pytest.mark.parametrize(
    "path", [".git/hooks/pre-commit", ".github/workflows/ci.yml", ".mewcode.yaml", ".mcp.json", ".vscode/tasks.json"]
)
async def test_protected_paths_are_confirmed_through_any_tool(tmp_path: Path, path: str) -> None:
    house = build(tmp_path, [allow("write_file(**)"), allow("run_command(*)")])
    question = await house.question("write_file", {"path": path, "content": "x"})
    assert question.kind is QuestionKind.CONFIRMATION
    by_command = await house.question("run_command", {"command": f"echo x > {path}"})
    assert by_command.kind is QuestionKind.CONFIRMATION


async def test_the_mode_auto_never_asks(tmp_path: Path) -> None:
    house = build(tmp_path, [allow("run_command(rm *)")], mode=Mode.AUTO)
    assert refused(await house.result("write_file", WRITE))
    assert refused(await house.result("run_command", {"command": "rm x"}))


async def test_the_same_call_three_times_in_a_row_asks(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    house = build(tmp_path)
    for _ in range(2):
        await house.result("read_file", {"path": "a"})
    question = await house.question("read_file", {"path": "a"})
    assert "3 times" in question.reasons[0]
    assert (await house.result("read_file", {"path": "a"}, answer=yes(question))).text == "x"


async def test_an_answer_counts_once_among_replicas_that_share_their_questions(tmp_path: Path) -> None:
    store = MemoryStore()
    one = build(tmp_path, questions=StoreQuestions(store))
    other = build(tmp_path, questions=StoreQuestions(store))
    question = await one.question("write_file", WRITE)
    assert not (await other.result("write_file", WRITE, answer=yes(question))).is_error
    assert refused(await one.result("write_file", WRITE, answer=yes(question)))


async def test_a_question_shows_the_change_and_the_resolved_command(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old\u202e\n")
    house = build(tmp_path)
    change = (await house.question("write_file", {"path": "a", "content": "new\n"})).details
    assert "-old⟦U+202E⟧" in change
    assert "+new" in change
    command = (await house.question("run_command", {"command": "sh -c 'touch b'"})).details
    assert "runs: touch b" in command
    assert f"writes: {house.workspace / 'b'}" in command


async def test_a_no_is_final_for_that_call(tmp_path: Path) -> None:
    house = build(tmp_path, [rule("allow", "read_file")])
    question = await house.question("write_file", WRITE, principal=ALICE)
    assert "tomorrow" in (await house.result("write_file", WRITE, answer=no(question, "tomorrow"))).text
    assert refused(await house.result("write_file", WRITE, answer=yes(question)))
