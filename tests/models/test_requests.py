"""What goes over the wire, and what is made of the answer."""

import base64
import subprocess
import sys

import pytest
from openai import AsyncOpenAI
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from tests.endpoint import Turn, serve
from tests.models.answers import KEY, WIRES, asking, events_of, finished, model_on, scripted_endpoint

from mewcode.models import ModelInput, ToolSpec, Usage
from mewcode.models.client import HttpSource, RequestDefaults
from mewcode.models.prices import Prices
from mewcode.models.resilience import ResilientModel

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("wire", WIRES)
async def test_headers_of_the_settings_and_the_key_are_sent(wire: str) -> None:
    with serve([Turn("ok")]) as served:
        await events_of(model_on(served, wire, headers={"X-Team": "blue"}))
    headers = served.requests[0].headers
    assert headers["x-team"] == "blue"
    assert KEY in headers.get("authorization", "") + headers.get("x-api-key", "")


@pytest.mark.parametrize("wire", WIRES)
async def test_an_image_travels_as_an_image(wire: str) -> None:
    picture = b"\x89PNG not a real picture"
    prompt = UserPromptPart(["What is this?", BinaryContent(picture, media_type="image/png")])
    with serve([Turn("A picture.")]) as served:
        await events_of(model_on(served, wire), ModelInput([ModelRequest([prompt])]))
    assert base64.b64encode(picture).decode() in served.requests[0].raw.decode()


async def test_the_stable_prefix_is_marked_for_anthropics_cache_unless_it_is_turned_off() -> None:
    with serve(["one", "two"]) as served:
        endpoint = scripted_endpoint(served, "anthropic", model="claude-sonnet-5-5")
        for cache in (True, False):
            await events_of(ResilientModel([HttpSource(endpoint, RequestDefaults(cache=cache))]))
    marked, plain = (request.raw.decode() for request in served.requests)
    assert "cache_control" in marked
    assert "cache_control" not in plain


@pytest.mark.parametrize("wire", WIRES)
async def test_cached_input_is_counted_and_priced_by_the_settings(wire: str) -> None:
    prices = Prices(input=10.0, output=20.0, cache_read=1.0)
    with serve([Turn("ok", input_tokens=1_000_000, output_tokens=500_000, cached_tokens=400_000)]) as served:
        last = finished(await events_of(model_on(served, wire, prices=prices)))
    assert last.usage == Usage(input=1_000_000, output=500_000, cache_read=400_000)
    assert last.cost == pytest.approx(6.0 + 0.4 + 10.0)


@pytest.mark.parametrize("wire", WIRES)
async def test_a_model_that_nobody_knows_has_no_price(wire: str) -> None:
    with serve([Turn("ok")]) as served:
        assert finished(await events_of(model_on(served, wire))).cost is None


async def test_the_answers_length_and_the_thinking_of_the_settings_are_asked_for() -> None:
    with serve(["ok"]) as served:
        endpoint = scripted_endpoint(served, "anthropic", model="claude-sonnet-5-5")
        source = HttpSource(endpoint, RequestDefaults(max_tokens=4321, thinking="low"))
        await events_of(ResilientModel([source]))
    sent = served.requests[0].json
    assert sent["max_tokens"] == 4321
    assert "thinking" in sent or "output_config" in sent


async def test_the_window_is_the_settings_or_what_the_price_table_knows() -> None:
    with serve(["ok", "ok"]) as served:
        own = model_on(served, "openai", context_window=5000)
        assert own.context_window == 5000
        known = model_on(served, "anthropic", model="claude-sonnet-4-5")
        events = [event async for event in known.stream(asking())]
        assert finished(events) and known.context_window >= 128_000
        await known.close()


def test_naming_the_models_imports_no_sdk_and_a_client_only_its_own() -> None:
    program = """
import sys
import mewcode.models
heavy = {"openai", "anthropic", "pydantic_ai", "google.genai", "httpx2", "boto3", "xllamacpp"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
from mewcode.models.client import import_client
from mewcode.models.endpoint import Endpoint
import_client(Endpoint("x", "m", "WIRE"))
foreign = {"openai", "anthropic", "google.genai", "boto3"} - {"WIRE"}
assert "WIRE" in sys.modules and not foreign & set(sys.modules), foreign & set(sys.modules)
"""
    for wire in WIRES:
        subprocess.run([sys.executable, "-c", program.replace("WIRE", wire)], check=True, timeout=120)


async def test_a_long_conversation_goes_out_as_the_sdk_itself_would_send_it(monkeypatch: pytest.MonkeyPatch) -> None:
    history: list[ModelMessage] = [
        ModelRequest([UserPromptPart(["Look: ", BinaryContent(b"\x89PNG", media_type="image/png")])]),
        ModelResponse([TextPart("I read."), ToolCallPart("read_file", {"path": "a é.txt"}, tool_call_id="1")]),
        ModelRequest([ToolReturnPart("read_file", "one\n", tool_call_id="1")]),
    ]
    tool = ToolSpec("read_file", "Reads.", {"type": "object", "properties": {"path": {"type": "string"}}})
    request = ModelInput(history, (tool,), system="Be brief.", max_tokens=100, thinking="low")
    with serve(["one", "two"]) as served:
        await events_of(model_on(served, "openai"), request)
        monkeypatch.setattr("mewcode.models.clients.openai_plain.PlainOpenAI", AsyncOpenAI)
        await events_of(model_on(served, "openai"), request)
    ours, theirs = (sent.json for sent in served.requests)
    assert ours == theirs
    assert [message["role"] for message in ours["messages"]] == ["system", "user", "assistant", "tool"]
