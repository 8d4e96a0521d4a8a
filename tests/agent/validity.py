"""What every provider demands of a history."""

from collections.abc import Sequence

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart


def assert_valid(messages: Sequence[ModelMessage]) -> None:
    """Requests and responses alternate from a request on; each call is answered once, in the request that follows."""
    seen: set[str] = set()
    for place, message in enumerate(messages):
        expected = ModelRequest if place % 2 == 0 else ModelResponse
        assert isinstance(message, expected), f"message {place} is a {type(message).__name__}"
        assert message.parts, f"message {place} is empty"
        calls = [part.tool_call_id for part in message.parts if isinstance(part, ToolCallPart)]
        assert len(set(calls)) == len(calls)
        assert not seen.intersection(calls), "an id comes twice"
        seen.update(calls)
        if not isinstance(message, ModelRequest):
            continue
        results = [part.tool_call_id for part in message.parts if isinstance(part, ToolReturnPart)]
        asked = (
            [part.tool_call_id for part in messages[place - 1].parts if isinstance(part, ToolCallPart)] if place else []
        )
        assert results == asked, f"request {place} answers {results}, asked was {asked}"
    if messages and isinstance(messages[-1], ModelResponse):
        assert not [part for part in messages[-1].parts if isinstance(part, ToolCallPart)], "open calls at the end"
