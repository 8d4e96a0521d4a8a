"""After outside content, what matters is asked about again."""

from pathlib import Path

import pytest
from tests.governance.house import House, allow, build, yes
from tests.governance.tools import ReadResource, RemoteTool

from mewcode.calls import Effects, Origin, Question, QuestionKind, Remember, ToolCall, ToolResult, Trust

pytestmark = pytest.mark.anyio
RULES = [allow("*"), allow("run_command(*)")]


def house_of(workspace: Path, **more: object) -> House:
    tools = [
        RemoteTool("web", "fetch"),
        RemoteTool("web", "next"),
        RemoteTool("mail", "send"),
        RemoteTool("docs", "read", effects=Effects(reads=True)),
        ReadResource(),
    ]
    return build(workspace, RULES, tools=tools, **more)  # type: ignore[arg-type]


async def test_a_command_that_acts_is_asked_about_after_a_page_was_read(tmp_path: Path) -> None:
    house = house_of(tmp_path)
    assert isinstance(await house.call("run_command", {"command": "touch a"}), ToolResult)
    await house.result("mcp_web_fetch")
    question = await house.question("run_command", {"command": "touch b"})
    assert question.kind is QuestionKind.APPROVAL
    assert "outside content was read" in question.reasons[0]
    assert "server web" in question.reasons[0]
    assert not (tmp_path / "b").exists()


async def test_reading_goes_on_unasked(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    house = house_of(tmp_path)
    await house.result("mcp_web_fetch")
    assert not (await house.result("read_file", {"path": "a"})).is_error
    assert not (await house.result("run_command", {"command": "ls | sort"})).is_error
    assert not (await house.result("mcp_docs_read")).is_error


async def test_another_server_is_asked_about_and_the_same_is_not(tmp_path: Path) -> None:
    house = house_of(tmp_path)
    await house.result("mcp_web_fetch")
    assert isinstance(await house.call("mcp_web_next"), ToolResult)
    assert isinstance(await house.call("mcp_mail_send"), Question)


async def test_reading_on_at_the_server_that_was_read_is_not_asked_about(tmp_path: Path) -> None:
    house = house_of(tmp_path)
    one, two = ({"server": "web", "uri": f"page://{number}"} for number in (1, 2))
    await house.result("read_resource", one)
    assert isinstance(await house.call("read_resource", two), ToolResult)
    assert isinstance(await house.call("mcp_web_next"), ToolResult)
    assert isinstance(await house.call("read_resource", {"server": "mail", "uri": "box://1"}), Question)
    asked = await house.question("read_resource", {**one, "note": "AKIAABCDEFGH12345678"})
    assert "looks like a secret" in asked.reasons[0]


async def test_what_a_server_says_of_itself_raises_a_doubt_only_where_no_rule_speaks(tmp_path: Path) -> None:
    house = house_of(tmp_path)
    taint = house.gate.sessions.of("s1").taint
    taint.told(Trust.WORKSPACE, Origin("instructions", "web"))
    assert isinstance(await house.call("run_command", {"command": "touch b"}), ToolResult)
    assert taint.nearby() is not None
    taint.told(Trust.EXTERNAL, Origin("instructions", "mail"))
    asked = await house.question("run_command", {"command": "touch c"})
    assert "instructions (server mail)" in asked.reasons[0]


async def test_what_is_told_in_every_turn_counts_once(tmp_path: Path) -> None:
    house = house_of(tmp_path)
    taint = house.gate.sessions.of("s1").taint
    taint.told(Trust.EXTERNAL, Origin("instructions", "mail"))
    question = await house.question("run_command", {"command": "touch b"})
    await house.result("run_command", {"command": "touch b"}, answer=yes(question, Remember.SESSION))
    taint.told(Trust.EXTERNAL, Origin("instructions", "mail"))
    assert isinstance(await house.call("run_command", {"command": "touch b"}), ToolResult)


async def test_sessions_do_not_taint_each_other_and_the_setting_turns_it_off(tmp_path: Path) -> None:
    house = house_of(tmp_path)
    await house.result("mcp_web_fetch")
    assert isinstance(await house.call("run_command", {"command": "touch b"}, session="s2"), ToolResult)
    relaxed = house_of(tmp_path, escalate=False)
    await relaxed.result("mcp_web_fetch")
    assert isinstance(await relaxed.call("run_command", {"command": "touch b"}), ToolResult)


async def test_an_approval_holds_until_something_new_is_read(tmp_path: Path) -> None:
    house = house_of(tmp_path)
    call = {"command": "touch b"}
    await house.result("mcp_web_fetch")
    question = await house.question("run_command", call)
    await house.result("run_command", call, answer=yes(question, Remember.SESSION))
    assert isinstance(await house.call("run_command", call), ToolResult)
    await house.result("mcp_web_fetch", {"page": 2})
    assert isinstance(await house.call("run_command", call), Question)


async def test_a_rule_of_confirm_answers_in_advance(tmp_path: Path) -> None:
    house = house_of(tmp_path, policy={"confirmed": (allow("run_command(touch *)"),)})
    await house.result("mcp_web_fetch")
    assert isinstance(await house.call("run_command", {"command": "touch b"}), ToolResult)


async def test_a_secret_in_outgoing_arguments_is_asked_about(tmp_path: Path) -> None:
    house = house_of(tmp_path)
    question = await house.question("mcp_mail_send", {"text": "key AKIAABCDEFGH12345678"})
    assert "the argument text holds what looks like a secret (aws-access-key)" in question.reasons[0]
    assert isinstance(await house.call("mcp_mail_send", {"text": "hello"}), ToolResult)


async def test_what_a_server_says_about_its_own_trust_does_not_count(tmp_path: Path) -> None:
    async def work(call: ToolCall) -> ToolResult:
        return ToolResult.of_text("trust me")

    house = build(tmp_path, RULES, tools=[RemoteTool("liar", "t", work)])
    await house.result("mcp_liar_t")
    assert isinstance(await house.call("run_command", {"command": "touch b"}), Question)
