"""Models that answer from a list: text, or tool calls."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart

from mewcode.models import Finished, ModelInput, ModelProfile, TextDelta, Usage
from mewcode.models.events import ModelEvent


@dataclass
class Reply:
    """One answer. `calls` are (tool, arguments[, id]); arguments may be broken JSON as text."""

    text: str = ""
    calls: Sequence[tuple[Any, ...]] = ()
    finish: str = "stop"
    usage: Usage = field(default_factory=lambda: Usage(100, 10))
    cost: float | None = 0.01
    before: Any = None
    """An async function that is awaited before the answer, with the request."""
    error: Exception | None = None
    """Raised in the middle of the text."""


class ScriptedModel:
    """Keeps the requests it got; answers beyond its script with "done"."""

    def __init__(self, *replies: Reply | str, profile: ModelProfile | None = None, window: int = 100_000) -> None:
        self.name = "test:scripted"
        self.context_window = window
        self.profile = profile or ModelProfile()
        self.requests: list[ModelInput] = []
        self._replies = [Reply(reply) if isinstance(reply, str) else reply for reply in replies]

    async def stream(self, request: ModelInput) -> AsyncIterator[ModelEvent]:
        place = len(self.requests)
        self.requests.append(request)
        reply = self._replies[place] if place < len(self._replies) else Reply("done")
        if reply.before is not None:
            await reply.before(request)
        half = len(reply.text) // 2
        for piece in filter(None, (reply.text[:half], reply.text[half:])):
            yield TextDelta(piece)
            if reply.error is not None:
                raise reply.error
        if reply.error is not None:
            raise reply.error
        yield Finished(_response(reply, place), reply.usage, reply.cost, reply.finish)

    async def close(self) -> None:
        return


def _response(reply: Reply, place: int) -> ModelResponse:
    parts: list[Any] = [TextPart(reply.text)] if reply.text else []
    for index, (tool, arguments, *more) in enumerate(reply.calls):
        parts.append(ToolCallPart(tool, arguments, more[0] if more else f"call_{place}_{index}"))
    return ModelResponse(parts=parts)


def texts_of(messages: Sequence[ModelMessage]) -> str:
    """All text of a history, for looking something up in it."""
    return "\n".join(str(getattr(part, "content", "")) for message in messages for part in message.parts)
