"""Answers over real HTTP, in both wire formats."""

import pytest
from pydantic_ai.messages import ModelRequest, ToolCallPart, ToolReturnPart
from tests.endpoint import Call, Turn, serve
from tests.models.answers import READ, WIRES, asking, events_of, finished, model_on, text_of

from mewcode.models import ModelInput, TextDelta, ThinkingDelta, ToolCallStarted

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("wire", WIRES)]


async def test_text_streams_in_pieces_and_ends_with_the_whole(wire: str) -> None:
    with serve([Turn("Hello, world: 你好", input_tokens=120, output_tokens=7)]) as served:
        events = await events_of(model_on(served, wire))
    assert sum(isinstance(event, TextDelta) for event in events) > 1
    assert text_of(events) == "Hello, world: 你好" == finished(events).response.text
    assert (finished(events).usage.input, finished(events).usage.output) == (120, 7)
    assert finished(events).finish == "stop"


async def test_parallel_tool_calls_arrive_whole_and_in_order(wire: str) -> None:
    calls = [Call("read_file", {"path": "a.py"}, "c1"), Call("read_file", {"path": "b.py"}, "c2")]
    with serve([Turn("Reading.", calls)]) as served:
        events = await events_of(model_on(served, wire))
    assert [event.id for event in events if isinstance(event, ToolCallStarted)] == ["c1", "c2"]
    parts = [part for part in finished(events).response.parts if isinstance(part, ToolCallPart)]
    assert [(part.tool_call_id, part.args_as_dict()) for part in parts] == [
        ("c1", {"path": "a.py"}),
        ("c2", {"path": "b.py"}),
    ]
    assert finished(events).finish == "tool_call"


async def test_thinking_streams_apart_from_the_text(wire: str) -> None:
    with serve([Turn("Four.", thinking="Two and two.")]) as served:
        events = await events_of(model_on(served, wire))
    assert "".join(event.text for event in events if isinstance(event, ThinkingDelta)) == "Two and two."
    assert text_of(events) == "Four."


async def test_the_request_carries_system_prompt_tools_and_the_result_of_a_call(wire: str) -> None:
    script = [Turn(calls=[Call("read_file", {"path": "a.py"}, "c1")]), Turn("Done.")]
    with serve(script) as served:
        model = model_on(served, wire)
        first = [event async for event in model.stream(asking("Read a.py"))]
        answer = ModelRequest([ToolReturnPart("read_file", "print(1)", "c1")])
        again = ModelInput([*asking("Read a.py").messages, finished(first).response, answer], (READ,), "Be brief.")
        second = await events_of(model, again)
    assert text_of(second) == "Done."
    sent = served.requests[1].raw.decode()
    assert "Be brief." in sent and "read_file" in sent and "print(1)" in sent
    assert [request.json["stream"] for request in served.requests] == [True, True]
