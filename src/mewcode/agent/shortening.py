"""The first economy: results of tools that the model has long worked with are cut to their beginnings."""

from collections.abc import Sequence, Set
from dataclasses import replace

from pydantic_ai.messages import BinaryContent, ModelMessage, ModelRequest, ToolReturnPart

KEPT_HEAD = 480
KEPT_TAIL = 120
"""Enough to remember what a result was about, and its closing fence; whoever needs the rest asks the tool again."""

_MARK = "\n[... shortened to save room: {left} characters left out. Call the tool again if you need them.]\n"


def shortened(message: ModelMessage, call_ids: Set[str]) -> ModelMessage:
    """`message` with the results of `call_ids` cut; the very same object when there is nothing to cut."""
    if not isinstance(message, ModelRequest):
        return message
    parts = [
        _cut(part) if isinstance(part, ToolReturnPart) and part.tool_call_id in call_ids else part
        for part in message.parts
    ]
    return replace(message, parts=parts)


def results_worth_shortening(messages: Sequence[ModelMessage], keep: int) -> list[str]:
    """Ids of calls whose results are long, except the newest `keep` results: the model still works with those."""
    results = [
        part
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]
    return [part.tool_call_id for part in results[: max(0, len(results) - keep)] if _is_long(part)]


def _text_of(part: ToolReturnPart) -> str:
    content: object = part.content
    if isinstance(content, str):
        return content
    if isinstance(content, list | tuple):
        return "\n".join(item for item in content if isinstance(item, str))  # pyright: ignore[reportUnknownVariableType]
    return str(content)


def _is_long(part: ToolReturnPart) -> bool:
    content: object = part.content
    has_picture = isinstance(content, list | tuple) and any(isinstance(item, BinaryContent) for item in content)  # pyright: ignore[reportUnknownVariableType]
    return has_picture or len(_text_of(part)) > 2 * (KEPT_HEAD + KEPT_TAIL)


def _cut(part: ToolReturnPart) -> ToolReturnPart:
    text = _text_of(part)
    left = len(text) - KEPT_HEAD - KEPT_TAIL
    if left > 0:
        text = text[:KEPT_HEAD] + _MARK.format(left=left) + text[-KEPT_TAIL:]
    return replace(part, content=text)
