"""One request to one of pydantic-ai's models, as our events."""

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from mewcode.models.events import Finished, ModelEvent, TextDelta, ThinkingDelta, ToolCallStarted, Usage
from mewcode.models.interface import ModelInput
from mewcode.models.price_table import load_price_table
from mewcode.models.prices import Prices, cost_of

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse, ModelResponseStreamEvent, ToolCallPart
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings


async def stream_once(
    model: "Model", request: ModelInput, prices: Prices | None = None, *, cache: bool = True
) -> AsyncGenerator[ModelEvent, None]:
    """Sends `request` once. Raises what pydantic-ai raises; a provider SDK's own retries are off."""
    from pydantic_ai.direct import model_request_stream

    async with model_request_stream(
        model,
        request.messages,
        model_settings=_settings(request, cache),
        model_request_parameters=_parameters(request),
        instrument=False,
    ) as stream:
        await load_price_table()  # counting what was used looks into it, and would load it on the event loop
        async for part_event in stream:
            event = _translated(part_event)
            if event is not None:
                yield event
        response = stream.get()
    if _was_cut(response):
        raise CutStreamError("the stream ended before the answer did")
    yield Finished(response, usage_of(response), cost_of(response, prices), finish_of(response))


class CutStreamError(Exception):
    """The connection was closed in good order, but in the middle of an answer."""


def _was_cut(response: "ModelResponse") -> bool:
    """Whether the finish reason is missing where it cannot be.

    Anthropic always sends one. Some OpenAI-compatible servers never do, so that there only an answer with nothing in
    it, or with half a tool call, counts as cut.
    """
    if (response.provider_details or {}).get("finish_reason") or response.provider_name is None:
        return False
    if response.provider_name == "anthropic" or not response.parts:
        return True
    return any(not _is_whole(call) for call in response.tool_calls)


def _is_whole(call: "ToolCallPart") -> bool:
    try:
        call.args_as_dict(raise_if_invalid=True)
    except (ValueError, AssertionError):
        return False
    return True


def usage_of(response: "ModelResponse") -> Usage:
    usage = response.usage
    return Usage(
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
        usage.output_reasoning_tokens,
    )


def finish_of(response: "ModelResponse") -> str:
    """The finish reason; one that pydantic-ai does not know is passed on as the provider wrote it."""
    if response.finish_reason:
        return response.finish_reason
    raw = (response.provider_details or {}).get("finish_reason")
    return raw if isinstance(raw, str) else "stop"


def _settings(request: ModelInput, cache: bool) -> "ModelSettings":
    settings: ModelSettings = {"max_retries": 0, "cache": cache}
    if request.max_tokens is not None:
        settings["max_tokens"] = request.max_tokens
    if request.thinking is not None:
        settings["thinking"] = request.thinking
    return settings


def _parameters(request: ModelInput) -> "ModelRequestParameters":
    from pydantic_ai.messages import InstructionPart
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    return ModelRequestParameters(
        function_tools=[
            # Strict mode rewrites schemas and refuses some; the gate validates arguments anyway.
            ToolDefinition(
                name=tool.name,
                parameters_json_schema=dict(tool.parameters),
                description=tool.description,
                strict=False,
            )
            for tool in request.tools
        ],
        instruction_parts=[InstructionPart(content=request.system)] if request.system else None,
    )


def _translated(event: "ModelResponseStreamEvent") -> ModelEvent | None:
    from pydantic_ai import messages as m

    match event:
        case m.PartStartEvent(part=m.TextPart(content=text)) if text:
            return TextDelta(text)
        case m.PartStartEvent(part=m.ThinkingPart(content=text)) if text:
            return ThinkingDelta(text)
        case m.PartStartEvent(part=m.ToolCallPart() as call):
            return ToolCallStarted(call.tool_call_id, call.tool_name)
        case m.PartDeltaEvent(delta=m.TextPartDelta(content_delta=text)) if text:
            return TextDelta(text)
        case m.PartDeltaEvent(delta=m.ThinkingPartDelta(content_delta=text)) if text:
            return ThinkingDelta(text)
        case _:
            return None
