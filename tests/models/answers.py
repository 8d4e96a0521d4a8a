"""Opens models on the scripted endpoint and collects what they say."""

from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest
from tests.endpoint import ModelEndpoint

from mewcode.models import Finished, LanguageModel, ModelEvent, ModelInput, TextDelta, ToolSpec
from mewcode.models.client import HttpSource
from mewcode.models.endpoint import Endpoint
from mewcode.models.resilience import Backoff, ResilientModel

WIRES = ("openai", "anthropic")
KEY = "sk-scripted-secret-key"

READ = ToolSpec(
    "read_file",
    "Reads a file.",
    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)


def scripted_endpoint(served: ModelEndpoint, wire: str, **more: Any) -> Endpoint:
    url = served.url if wire == "openai" else served.anthropic_url
    return Endpoint("scripted", more.pop("model", "some-model"), wire, base_url=url, api_key=KEY, **more)  # pyright: ignore


def model_on(served: ModelEndpoint, wire: str, *, attempts: int = 3, **more: Any) -> ResilientModel:
    source = HttpSource(scripted_endpoint(served, wire, **more))
    return ResilientModel([source], backoff=Backoff(attempts=attempts, first=0.01))


def asking(text: str = "hello", *, tools: Sequence[ToolSpec] = (READ,), **more: Any) -> ModelInput:
    messages: list[ModelMessage] = [ModelRequest.user_text_prompt(text)]
    return ModelInput(messages, tuple(tools), system="Be brief.", **more)


async def events_of(model: LanguageModel, request: ModelInput | None = None) -> list[ModelEvent]:
    try:
        return [event async for event in model.stream(request or asking())]
    finally:
        await model.close()


def finished(events: list[ModelEvent]) -> Finished:
    last = events[-1]
    assert isinstance(last, Finished)
    return last


def text_of(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))
