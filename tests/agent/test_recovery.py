"""Answers that cannot be used: the model is told, a bounded number of times, and then there is one clear error."""

from pathlib import Path

import pytest
from tests.agent.house import House, events_of, last
from tests.agent.scripted import Reply, ScriptedModel, texts_of
from tests.agent.validity import assert_valid

from mewcode.agent import TurnStatus
from mewcode.models import ModelProfile

pytestmark = pytest.mark.anyio

BROKEN = Reply(calls=[("look", '{"value": "x')])
UNKNOWN = Reply(calls=[("lokk", {})])


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (BROKEN, "not valid JSON"),
        (Reply(calls=[("look", "[1, 2]")]), "must be a JSON object, not list"),
        (UNKNOWN, "There is no tool lokk"),
        (Reply(""), "was empty"),
        (Reply(finish="content_filter"), "content filter"),
        (Reply("half an ans", finish="length"), "cut off"),
        (Reply(calls=[("change", '{"value": "abc')], finish="length"), "smaller steps"),
    ],
)
async def test_the_model_is_told_what_was_wrong_and_may_mend_it(house: House, bad: Reply, told: str) -> None:
    model = ScriptedModel(bad, "mended")
    async with house.agent(model) as agent:
        events = await events_of(agent.run("go"))
    assert last(events).status is TurnStatus.DONE
    assert last(events).text.endswith("mended")
    assert told in texts_of(model.requests[1].messages[-1:])
    assert_valid(model.requests[1].messages)


@pytest.mark.parametrize(
    ("bad", "requests", "said"),
    [
        (BROKEN, 4, "not valid JSON"),
        (UNKNOWN, 4, "There is no tool lokk"),
        (Reply(""), 3, "answered with nothing 3 times"),
        (Reply(finish="content_filter"), 2, "refused to answer"),
        (Reply("more ", finish="length"), 4, "cut off"),
    ],
)
async def test_after_a_bounded_number_of_times_there_is_one_clear_error(
    house: House, bad: Reply, requests: int, said: str
) -> None:
    model = ScriptedModel(*[bad] * 20)
    async with house.agent(model) as agent:
        events = await events_of(agent.run("go"))
    assert last(events).status is TurnStatus.MODEL_ERROR
    assert len(model.requests) == requests
    assert said in str(last(events).error)
    assert "test:scripted" in str(last(events).error)


async def test_a_cut_answer_is_put_together_again(house: House) -> None:
    async with house.agent(ScriptedModel(Reply("one, two, ", finish="length"), "three")) as agent:
        events = await events_of(agent.run("count"))
    assert last(events).text == "one, two, three"


async def test_good_calls_beside_a_broken_one_are_run(house: House) -> None:
    model = ScriptedModel(Reply(calls=[("look", '{"value": "k"}'), ("look", "{")]), "fine")
    async with house.agent(model) as agent:
        events = await events_of(agent.run("go"))
    assert last(events).status is TurnStatus.DONE
    assert len(house.gate.calls) == 1
    told = texts_of(model.requests[1].messages[-1:])
    assert "echo k" in told
    assert "not valid JSON" in told


async def test_a_small_model_that_repeats_its_call_is_stopped(house: House) -> None:
    profile = ModelProfile(embedded=True, own_prompt=True, max_steps=8, stop_on_repeated_call=True)
    model = ScriptedModel(*[Reply(calls=[("look", {"value": "k"})])] * 9, profile=profile)
    async with house.agent(model) as agent:
        events = await events_of(agent.run("go"))
    assert last(events).status is TurnStatus.LIMIT
    assert len(model.requests) == 2
    assert model.requests[0].system == ""


async def test_a_small_model_gets_no_more_steps_than_its_profile_says(house: House) -> None:
    model = ScriptedModel(
        *[Reply(calls=[("look", {"value": str(n)})]) for n in range(20)], profile=ModelProfile(max_steps=8)
    )
    async with house.agent(model) as agent:
        events = await events_of(agent.run("go"))
    assert last(events).status is TurnStatus.LIMIT
    assert len(model.requests) == 8
