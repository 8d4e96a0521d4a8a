"""Each way in which a provider can fail ends in recovery or in one clear error, in both wire formats."""

import pytest
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from tests.endpoint import Call, Fault, Turn, serve
from tests.models.answers import KEY, WIRES, asking, events_of, finished, model_on, scripted_endpoint, text_of

from mewcode.errors import ModelError
from mewcode.models import Retrying, SwitchedModel
from mewcode.models.client import HttpSource
from mewcode.models.resilience import Backoff, ResilientModel

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("wire", WIRES)]

RECOVERABLE = {
    "429": Fault("status", status=429),
    "500": Fault("status", status=500),
    "502": Fault("status", status=502),
    "529": Fault("status", status=529),
    "cut before the first event": Fault("cut"),
    "cut in the middle": Fault("cut", after=2),
    "closed in good order after one event": Fault("ended", after=1),
    "malformed event": Fault("malformed", after=1),
    "an empty stream": Fault("no_answer"),
    "an error inside the stream": Fault("error_event"),
}


@pytest.mark.parametrize("fault", RECOVERABLE.values(), ids=RECOVERABLE)
async def test_a_passing_fault_is_retried_and_said(wire: str, fault: Fault) -> None:
    with serve([Turn("Recovered.", fault=fault)]) as served:
        events = await events_of(model_on(served, wire))
    retries = [event for event in events if isinstance(event, Retrying)]
    assert len(retries) == 1 and retries[0].why
    assert finished(events).response.text == "Recovered."
    assert len(served.requests) == 2


@pytest.mark.parametrize("fault", RECOVERABLE.values(), ids=RECOVERABLE)
async def test_a_lasting_fault_ends_in_one_error_that_names_provider_and_model(wire: str, fault: Fault) -> None:
    with (
        serve([Turn("never", fault=Fault(fault.kind, 99, fault.status, after=fault.after))]) as served,
        pytest.raises(ModelError) as caught,
    ):
        await events_of(model_on(served, wire))
    assert caught.value.exit_code == 5
    assert "scripted" in str(caught.value) and "some-model" in str(caught.value)
    assert len(served.requests) == 3


async def test_what_came_before_a_cut_is_to_be_discarded(wire: str) -> None:
    # Six events in: some text has certainly been streamed by then, in either format.
    fault = Fault("cut", after=6)
    with serve([Turn("one two three four five six seven eight", pieces=8, fault=fault)]) as served:
        events = await events_of(model_on(served, wire))
    retry = next(event for event in events if isinstance(event, Retrying))
    assert retry.discard
    assert text_of(events[events.index(retry) :]) == "one two three four five six seven eight"


async def test_retry_after_is_honoured(wire: str) -> None:
    with serve([Turn("ok", fault=Fault("status", status=429, retry_after=1))]) as served:
        events = await events_of(model_on(served, wire))
    retry = next(event for event in events if isinstance(event, Retrying))
    assert retry.seconds == 1
    assert served.requests[1].time - served.requests[0].time >= 1


async def test_a_retry_after_of_an_hour_is_not_waited_for(wire: str) -> None:
    with (
        serve([Turn("ok", fault=Fault("status", status=429, retry_after=3600))]) as served,
        pytest.raises(ModelError, match="429"),
    ):
        await events_of(model_on(served, wire))
    assert len(served.requests) == 1


async def test_silence_ends_at_the_idle_deadline(wire: str) -> None:
    with (
        serve([Turn("late", fault=Fault("silence", times=99, after=1))]) as served,
        pytest.raises(ModelError, match=r"sent nothing for 0\.4 s"),
    ):
        await events_of(model_on(served, wire, idle_seconds=0.4))
    assert len(served.requests) == 2


async def test_bytes_that_come_slowly_are_not_silence(wire: str) -> None:
    with serve([Turn("slow but sure", fault=Fault("slow", seconds=0.2))]) as served:
        events = await events_of(model_on(served, wire, idle_seconds=2.0))
    assert finished(events).response.text == "slow but sure"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "refused the key"),
        (403, "refused the key"),
        (404, "does not know the model"),
        (400, "refused the request"),
    ],
)
async def test_what_no_retry_mends_fails_at_once(wire: str, status: int, words: str) -> None:
    with (
        serve([Turn("never", fault=Fault("status", times=99, status=status))]) as served,
        pytest.raises(ModelError, match=words),
    ):
        await events_of(model_on(served, wire))
    assert len(served.requests) == 1


async def test_a_key_that_the_provider_quotes_does_not_show(wire: str) -> None:
    body = f"Incorrect API key provided: {KEY}. Also sk-proj-abcdefghijkl and x."
    with (
        serve([Turn("never", fault=Fault("status", status=401, body=body))]) as served,
        pytest.raises(ModelError) as caught,
    ):
        await events_of(model_on(served, wire))
    assert KEY not in str(caught.value) and "sk-proj-abcdefghijkl" not in str(caught.value)
    assert KEY not in repr(scripted_endpoint(served, wire))
    assert KEY in str(served.requests[0].headers)


async def test_nobody_listening_names_the_address(wire: str) -> None:
    with serve([]) as served:
        model = model_on(served, wire, attempts=2)
        url = served.anthropic_url
    with pytest.raises(ModelError, match="No connection") as caught:
        await events_of(model)
    assert url in str(caught.value)


async def test_an_unknown_finish_reason_is_passed_on(wire: str) -> None:
    with serve([Turn("Hm.", finish="guardrail_intervened")]) as served:
        events = await events_of(model_on(served, wire))
    assert finished(events).response.text == "Hm."
    assert finished(events).finish in {"guardrail_intervened", "stop"}


async def test_an_answer_with_nothing_in_it_is_delivered_as_empty(wire: str) -> None:
    with serve([Turn()]) as served:
        events = await events_of(model_on(served, wire))
    assert not finished(events).response.text
    assert not finished(events).response.tool_calls


async def test_broken_arguments_are_delivered_and_can_be_sent_back(wire: str) -> None:
    script = [Turn(calls=[Call("read_file", '{"path": "a.p', "c1")]), Turn("I will do better.")]
    with serve(script) as served:
        model = model_on(served, wire)
        first = finished([event async for event in model.stream(asking())])
        (call,) = first.response.tool_calls
        assert call.args == '{"path": "a.p'
        problem = ModelRequest([ToolReturnPart("read_file", "the arguments are not JSON", "c1")])
        request = asking()
        again = type(request)([*request.messages, first.response, problem], request.tools)
        second = await events_of(model, again)
    assert finished(second).response.text == "I will do better."
    assert "a.p" in served.requests[1].raw.decode()


async def test_the_fallback_answers_when_the_first_model_cannot(wire: str) -> None:
    with (
        serve([Turn("never", fault=Fault("status", times=99, status=529))]) as first,
        serve(["From the second."]) as second,
    ):
        sources = [
            HttpSource(scripted_endpoint(first, wire)),
            HttpSource(scripted_endpoint(second, wire, model="other-model")),
        ]
        events = await events_of(ResilientModel(sources, backoff=Backoff(attempts=2, first=0.01)))
    switch = next(event for event in events if isinstance(event, SwitchedModel))
    assert switch.name == "scripted:other-model" and "overloaded" in switch.why
    assert finished(events).response.text == "From the second."
    assert len(first.requests) == 2
