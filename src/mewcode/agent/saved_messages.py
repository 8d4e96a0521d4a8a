"""Messages as the journal keeps them: the JSON of pydantic-ai's own adapter, or a part of it that the adapter reads."""

from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelRequest, UserPromptPart


def dumped(message: ModelMessage) -> Any:
    """A message as plain JSON values.

    What a person says is written without the adapter: making that takes a tenth of the time to the first request, and
    the words must be on the disk before it goes out.
    """
    if isinstance(message, ModelRequest) and (plain := _dumped_words(message)) is not None:
        return plain
    return ModelMessagesTypeAdapter.dump_python([message], mode="json")[0]


def loaded(messages: Sequence[Any]) -> list[ModelMessage]:
    """Raises ValueError for a message that this version cannot read."""
    return ModelMessagesTypeAdapter.validate_python(list(messages))


def prepare() -> None:
    """Makes the adapter, where there is time for it."""
    loaded([])


def _dumped_words(request: ModelRequest) -> Any:
    parts: list[Any] = []
    for part in request.parts:
        if not isinstance(part, UserPromptPart) or not isinstance(part.content, str):
            return None
        parts.append({"part_kind": "user-prompt", "content": part.content, "timestamp": part.timestamp.isoformat()})
    return {"kind": "request", "parts": parts}
