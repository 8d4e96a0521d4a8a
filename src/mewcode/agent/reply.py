"""One answer of the model: streamed as events, then taken apart into text and calls."""

import json
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

from mewcode.agent.events import Notice, NoticeLevel, TextDelta, TextVoided, ThinkingDelta
from mewcode.agent.questions import Emit
from mewcode.agent.tool_calls import WantedCall
from mewcode.errors import ModelError
from mewcode.messages import message
from mewcode.models import events as model_events
from mewcode.models.interface import LanguageModel, ModelInput


@dataclass
class Partial:
    """What has come of an answer so far; what is left of it when somebody interrupts."""

    text: str = ""


async def stream_reply(
    model: LanguageModel, request: ModelInput, emit: Emit, partial: Partial
) -> model_events.Finished:
    """Asks the model once (with whatever retries it does inside) and passes its deltas on.

    Raises ModelError, also when the stream ends without an end.
    """
    async with aclosing(model.stream(request)) as stream:
        async for event in stream:
            if isinstance(event, model_events.Finished):
                return event
            await _pass_on(event, emit, partial)
    raise ModelError("agent.model_empty", model=model.name, times=1)


async def _pass_on(event: model_events.ModelEvent, emit: Emit, partial: Partial) -> None:
    match event:
        case model_events.TextDelta(text):
            partial.text += text
            await emit(TextDelta(text))
        case model_events.Loading(name):
            await emit(Notice(message("agent.loading_model", name=name), NoticeLevel.INFO))
        case model_events.ThinkingDelta(text):
            await emit(ThinkingDelta(text))
        case model_events.Retrying(attempt, seconds, why, discard):
            await _void(discard, emit, partial)
            await emit(
                Notice(message("agent.retrying", why=why, seconds=seconds, attempt=attempt), NoticeLevel.WARNING)
            )
        case model_events.SwitchedModel(name, why, discard):
            await _void(discard, emit, partial)
            await emit(Notice(message("agent.switched", name=name, why=why), NoticeLevel.WARNING))
        case _:
            return


async def _void(discard: bool, emit: Emit, partial: Partial) -> None:
    if discard and partial.text:
        await emit(TextVoided())
    if discard:
        partial.text = ""


def text_of(response: ModelResponse) -> str:
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def calls_of(response: ModelResponse, cut: bool) -> tuple[WantedCall, ...]:
    """The tool calls of an answer; `cut` tells that the answer ended at the limit of its length."""
    return tuple(_wanted(part, cut) for part in response.parts if isinstance(part, ToolCallPart))


def _wanted(part: ToolCallPart, cut: bool) -> WantedCall:
    if isinstance(part.args, dict):
        return WantedCall(part.tool_call_id, part.tool_name, part.args)
    text = (part.args or "").strip() or "{}"
    try:
        value: object = json.loads(text)
    except ValueError as error:
        return WantedCall(part.tool_call_id, part.tool_name, {}, _broken(text, str(error), cut))
    if not isinstance(value, dict):
        kind = type(value).__name__
        return WantedCall(part.tool_call_id, part.tool_name, {}, f"The arguments must be a JSON object, not {kind}.")
    return WantedCall(part.tool_call_id, part.tool_name, cast("dict[str, object]", value))


def _broken(text: str, why: str, cut: bool) -> str:
    if cut:
        return (
            "The call was cut off at the limit of an answer's length, so nothing was run. Send less at once: write "
            "large files in several smaller steps."
        )
    end = repr(text[-80:])
    return (
        f"The arguments are not valid JSON ({why}), so nothing was run. They end in {end}. Send the whole call again."
    )
