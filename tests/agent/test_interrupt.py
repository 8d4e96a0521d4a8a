"""Interrupting a turn at any point, and what is left of it."""

from pathlib import Path

import anyio
import pytest
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolReturnPart
from tests.agent.asking import question_about
from tests.agent.house import House, SmallTool, events_of, last
from tests.agent.scripted import Reply, ScriptedModel, texts_of
from tests.agent.validity import assert_valid

from mewcode.agent import Limits, QuestionAsked, TextDelta, ToolCallFinished, ToolCallStarted, TurnFinished, TurnStatus
from mewcode.calls import ToolCall, ToolResult
from mewcode.errors import UsageError
from mewcode.models import ModelInput

pytestmark = pytest.mark.anyio


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


async def forever(request: ModelInput) -> None:
    await anyio.sleep_forever()


async def test_an_interrupted_call_is_cancelled_and_answered_and_finished_ones_are_kept(house: House) -> None:
    cancelled = anyio.Event()

    async def hang(call: ToolCall) -> ToolResult:
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()
        raise AssertionError

    house.add(SmallTool("hang", hang))
    model = ScriptedModel(Reply(calls=[("look", {"value": "k"}, "a"), ("hang", {}, "b"), ("change", {}, "c")]), "ok")
    async with house.agent(model) as agent:
        async for event in agent.run("go"):
            if isinstance(event, ToolCallFinished):
                agent.interrupt()
            if isinstance(event, TurnFinished):
                assert event.status is TurnStatus.INTERRUPTED
        assert cancelled.is_set()
        assert [call.tool for call in house.gate.calls] == ["look", "hang"], "the call behind it never ran"
        await events_of(agent.run("and now?"))
    results = [part for part in model.requests[1].messages[-1].parts if isinstance(part, ToolReturnPart)]
    assert [part.outcome for part in results] == ["success", "interrupted", "interrupted"]
    told = texts_of(model.requests[1].messages[-1:])
    assert "The person interrupted you" in told
    assert "and now?" in told
    assert_valid(model.requests[1].messages)


async def test_text_that_had_come_is_kept_as_the_models_answer(house: House) -> None:
    class Halting(ScriptedModel):
        async def stream(self, request: ModelInput):
            self.requests.append(request)
            from mewcode.models.events import TextDelta as ModelText

            yield ModelText("As I was say")
            await anyio.sleep_forever()

    async with house.agent(Halting()) as agent:
        async for event in agent.run("go"):
            if isinstance(event, TextDelta):
                agent.interrupt()
        messages = agent._workbench.conversation.messages
    response = messages[1]
    assert isinstance(response, ModelResponse)
    assert response.parts == [TextPart("As I was say")]
    assert isinstance(messages[2], ModelRequest)


async def test_interrupting_while_a_question_waits_ends_the_turn(house: House) -> None:
    house.gate.ask = lambda call, answer: question_about(call)
    async with house.agent(ScriptedModel(Reply(calls=[("change", {})]))) as agent:
        with anyio.fail_after(30):
            async for event in agent.run("go"):
                if isinstance(event, QuestionAsked):
                    agent.interrupt()
    assert house.gate.calls == []


async def test_a_question_nobody_answers_lapses(house: House) -> None:
    house.gate.ask = lambda call, answer: None if answer else question_about(call, expires_at=0.0)
    model = ScriptedModel(Reply(calls=[("change", {})]), "well")
    async with house.agent(model) as agent:
        events = await events_of(agent.run("go"))
    assert last(events).last_step_refused
    assert "Nobody answered in time" in texts_of(model.requests[1].messages[-1:])


async def test_a_gate_that_never_stops_asking_is_asked_no_more(house: House) -> None:
    house.gate.ask = lambda call, answer: question_about(call, expires_at=0.0)
    async with house.agent(ScriptedModel(Reply(calls=[("change", {})]), "well")) as agent:
        events = await events_of(agent.run("go"))
    assert last(events).last_step_refused


async def test_a_time_limit_stops_a_model_that_says_nothing(house: House) -> None:
    async with house.agent(ScriptedModel(Reply("x", before=forever))) as agent:
        with anyio.fail_after(60):
            events = await events_of(agent.run("go", limits=Limits(seconds=0.2)))
    assert last(events).status is TurnStatus.LIMIT


async def test_closing_the_iterator_ends_the_turn_and_another_can_begin(house: House) -> None:
    model = ScriptedModel(Reply(calls=[("look", {})]), "fine")
    async with house.agent(model) as agent:
        turn = agent.run("go")
        async for event in turn:
            if isinstance(event, ToolCallStarted):
                break
        await turn.aclose()
        assert not agent.busy
        events = await events_of(agent.run("again"))
    assert last(events).status is TurnStatus.DONE
    assert_valid(model.requests[-1].messages)


async def test_two_turns_at_once_are_refused(house: House) -> None:
    async with house.agent(ScriptedModel(Reply("x", before=forever))) as agent:
        async for _ in agent.run("go"):
            with pytest.raises(UsageError, match="already works"):
                await events_of(agent.run("too"))
            agent.interrupt()


async def test_cancelling_whoever_watches_leaves_a_valid_saved_session(house: House) -> None:
    model = ScriptedModel(Reply(calls=[("hang", {})]), "fine")

    async def hang(call: ToolCall) -> ToolResult:
        started.set()
        await anyio.sleep_forever()
        raise AssertionError

    started = anyio.Event()
    house.add(SmallTool("hang", hang))
    async with anyio.create_task_group() as tasks:

        async def watch() -> None:
            async with house.agent(model) as agent:
                sessions.append(agent.session.id)
                await events_of(agent.run("go"))

        sessions: list[str] = []
        tasks.start_soon(watch)
        with anyio.fail_after(30):
            await started.wait()
        tasks.cancel_scope.cancel()
    async with house.agent(model, sessions[0]) as agent:
        assert last(await events_of(agent.run("go on"))).status is TurnStatus.DONE
    assert_valid(model.requests[-1].messages)
