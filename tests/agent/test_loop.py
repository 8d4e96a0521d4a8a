"""The loop: request, calls, results, answer."""

from pathlib import Path

import anyio
import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaToolCall
from tests.agent.asking import question_about
from tests.agent.house import House, SmallTool, events_of, last, of_kind
from tests.agent.scripted import Reply, ScriptedModel, texts_of

from mewcode.agent import (
    Limits,
    MessageTaken,
    QuestionAsked,
    TextDelta,
    ToolCallFinished,
    ToolCallStarted,
    TurnStarted,
    TurnStatus,
)
from mewcode.calls import Answer, Question, ToolCall, ToolResult
from mewcode.models.scripted import function_model

pytestmark = pytest.mark.anyio


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


async def test_an_answer_without_calls_ends_the_turn(house: House) -> None:
    async with house.agent(ScriptedModel("Hello there")) as agent:
        events = await events_of(agent.run("hi"))
    assert isinstance(events[0], TurnStarted)
    assert "".join(event.text for event in of_kind(events, TextDelta)) == "Hello there"
    assert (last(events).status, last(events).text) == (TurnStatus.DONE, "Hello there")
    assert house.gate.ended == [agent.session.id]


async def test_a_function_model_of_pydantic_ai_calls_a_tool_and_reads_its_result(house: House) -> None:
    async def play(messages: list[ModelMessage], info: AgentInfo):
        if len(messages) == 1:
            yield {0: DeltaToolCall("look", '{"value": "x"}', tool_call_id="a")}
        else:
            yield f"saw {texts_of(messages[-1:])}"

    async with house.agent(function_model(play)) as agent:
        events = await events_of(agent.run("look at x"))
    assert last(events).text == "saw echo x"
    assert [call.arguments for call in house.gate.calls] == [{"value": "x"}]


async def test_calls_that_read_run_side_by_side_and_calls_that_act_run_alone_in_order(house: House) -> None:
    running: set[str] = set()
    seen: list[tuple[str, frozenset[str]]] = []
    both = anyio.Event()

    async def look(call: ToolCall) -> ToolResult:
        running.add(call.id)
        if len(running) == 2:
            both.set()
        with anyio.fail_after(20):
            await both.wait()
        running.discard(call.id)
        return ToolResult.of_text("looked")

    async def change(call: ToolCall) -> ToolResult:
        seen.append((call.id, frozenset(running)))
        return ToolResult.of_text("changed")

    house.add(SmallTool("look", look))
    house.add(SmallTool("change", change, writes=True))
    calls = [("change", {}, "w1"), ("look", {}, "r1"), ("look", {}, "r2"), ("change", {}, "w2")]
    model = ScriptedModel(Reply(calls=calls), "ok")
    async with house.agent(model) as agent:
        events = await events_of(agent.run("go"))
    assert last(events).status is TurnStatus.DONE
    assert seen == [("w1", frozenset()), ("w2", frozenset())]
    answered = [part.tool_call_id for part in model.requests[1].messages[-1].parts]
    assert answered == ["w1", "r1", "r2", "w2"]


async def test_a_question_reaches_whoever_watches_and_the_answer_reaches_the_gate(house: House) -> None:
    def ask(call: ToolCall, answer: Answer | None) -> Question | None:
        return None if answer else question_about(call)

    house.gate.ask = ask
    async with house.agent(ScriptedModel(Reply(calls=[("change", {"value": "1"})]), "changed it")) as agent:
        events = []
        async for event in agent.run("change it"):
            events.append(event)
            if isinstance(event, QuestionAsked):
                assert agent.answer(event.question.id, Answer(event.question.id, event.question.fingerprint, True))
    assert len(of_kind(events, QuestionAsked)) == 1
    assert len(house.gate.calls) == 1
    assert last(events).text == "changed it"


async def test_a_refused_call_is_listed_and_marks_the_last_step_only_when_nothing_came_after(house: House) -> None:
    house.gate.ask = lambda call, answer: None if answer or call.tool == "look" else question_about(call)

    async def run(*replies: Reply | str) -> tuple[bool, list[str]]:
        async with house.agent(ScriptedModel(*replies)) as agent:
            events = []
            async for event in agent.run("go"):
                events.append(event)
                if isinstance(event, QuestionAsked):
                    no = Answer(event.question.id, event.question.fingerprint, False, comment="nobody to ask")
                    agent.answer(event.question.id, no)
        return last(events).last_step_refused, [refusal.reason for refusal in last(events).refusals]

    refused = Reply(calls=[("change", {})])
    assert await run(refused, "gave up") == (True, ["Refused: nobody to ask"])
    assert await run(refused, Reply(calls=[("look", {})]), "found a way") == (False, ["Refused: nobody to ask"])


async def test_a_message_queued_while_the_model_works_is_given_to_it_with_the_results(house: House) -> None:
    async def look(call: ToolCall) -> ToolResult:
        agent.queue("also look at y")
        return ToolResult.of_text("x")

    house.add(SmallTool("look", look))
    model = ScriptedModel(Reply(calls=[("look", {})]), "both seen")
    async with house.agent(model) as agent:
        events = await events_of(agent.run("look at x"))
    assert [event.text for event in of_kind(events, MessageTaken)] == ["also look at y"]
    assert "also look at y" in texts_of(model.requests[1].messages[-1:])


async def test_the_limit_of_steps_counts_from_what_the_person_said_last(house: House) -> None:
    async def look(call: ToolCall) -> ToolResult:
        if call.arguments["value"] != "alone":
            agent.queue("and then?")
        return ToolResult.of_text("x")

    house.add(SmallTool("look", look))
    steps = [Reply(calls=[("look", {"value": value})]) for value in ("1", "2", "3", "4", "alone", "alone")]
    model = ScriptedModel(*steps)
    async with house.agent(model) as agent:
        events = await events_of(agent.run("look", limits=Limits(steps=2)))
    assert len(of_kind(events, MessageTaken)) == 4
    assert last(events).status is TurnStatus.LIMIT
    assert len(model.requests) == 6


async def test_events_of_a_call_say_what_was_called_and_what_came_back(house: House) -> None:
    async with house.agent(ScriptedModel(Reply(calls=[("look", {"value": "k"}, "id1")]), "fine")) as agent:
        events = await events_of(agent.run("look"))
    started, finished = of_kind(events, ToolCallStarted)[0], of_kind(events, ToolCallFinished)[0]
    assert (started.call_id, started.tool, started.arguments) == ("id1", "look", {"value": "k"})
    assert (finished.call_id, finished.shown) == ("id1", "echo k")
