"""How many tokens messages will take, before a provider has counted them."""

from collections.abc import Sequence

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

BYTES_PER_TOKEN = 4
"""A rule of thumb that errs little for English and code; providers' own counts replace it after each answer."""

IMAGE_TOKENS = 1_500
"""About what providers charge for a full-size image, whatever its bytes."""

_PART_OVERHEAD = 4


def estimate_messages_tokens(messages: Sequence[ModelMessage]) -> int:
    return sum(estimate_part_tokens(part) for message in messages for part in message.parts)


def estimate_text_tokens(text: str) -> int:
    return len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN


def estimate_part_tokens(part: object) -> int:
    if isinstance(part, TextPart | ThinkingPart):
        return _PART_OVERHEAD + estimate_text_tokens(part.content)
    if isinstance(part, ToolCallPart):
        return _PART_OVERHEAD + estimate_text_tokens(part.tool_name + part.args_as_json_str())
    if isinstance(part, ToolReturnPart | UserPromptPart):
        return _PART_OVERHEAD + _of_content(part.content)
    return _PART_OVERHEAD


def _of_content(content: object) -> int:
    if isinstance(content, str):
        return estimate_text_tokens(content)
    if isinstance(content, BinaryContent):
        return IMAGE_TOKENS
    if isinstance(content, Sequence):
        return sum(_of_content(item) for item in content)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return estimate_text_tokens(str(content))
