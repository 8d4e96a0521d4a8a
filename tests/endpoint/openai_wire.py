"""A turn in the format of OpenAI's /v1/chat/completions."""

import json
from collections.abc import Iterator
from typing import Any

from tests.endpoint.turns import Turn, cut_up

_HEAD = {"id": "chatcmpl-scripted", "created": 1_750_000_000}


def events(turn: Turn, request: dict[str, Any]) -> Iterator[str]:
    """The server-sent events of a streamed answer."""
    model = request.get("model", "scripted")
    yield _chunk(model, {"role": "assistant", "content": ""})
    for piece in cut_up(turn.thinking, turn.pieces):
        yield _chunk(model, {"reasoning_content": piece})
    for piece in cut_up(turn.text, turn.pieces):
        yield _chunk(model, {"content": piece})
    for index, call in enumerate(turn.calls):
        head = {"index": index, "id": call.id or f"call_{index + 1}", "type": "function"}
        yield _chunk(model, {"tool_calls": [{**head, "function": {"name": call.name, "arguments": ""}}]})
        for piece in cut_up(call.json, turn.pieces):
            yield _chunk(model, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield _chunk(model, {}, finish=_finish(turn))
    if (request.get("stream_options") or {}).get("include_usage"):
        yield _event({**_HEAD, "object": "chat.completion.chunk", "model": model, "choices": [], "usage": _usage(turn)})
    yield "data: [DONE]\n\n"


def whole(turn: Turn, request: dict[str, Any]) -> dict[str, Any]:
    """The JSON of an answer that is not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    if turn.thinking:
        message["reasoning_content"] = turn.thinking
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": call.id or f"call_{index + 1}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.json},
            }
            for index, call in enumerate(turn.calls)
        ]
    return {
        **_HEAD,
        "object": "chat.completion",
        "model": request.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": _finish(turn)}],
        "usage": _usage(turn),
    }


def error(status: int, text: str) -> dict[str, Any]:
    kinds = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
    return {"error": {"message": text, "type": "error", "code": kinds.get(status, f"status_{status}")}}


def error_event(text: str) -> str:
    return _event({"error": {"message": text, "type": "server_error", "code": "overloaded"}})


def malformed_event() -> str:
    return 'data: {"id": "chatcmpl-scripted", "choices": [{"delta": \n\n'


def _finish(turn: Turn) -> str:
    return turn.finish or ("tool_calls" if turn.calls else "stop")


def _usage(turn: Turn) -> dict[str, Any]:
    return {
        "prompt_tokens": turn.input_tokens,
        "completion_tokens": turn.output_tokens,
        "total_tokens": turn.input_tokens + turn.output_tokens,
        "prompt_tokens_details": {"cached_tokens": turn.cached_tokens},
    }


def _chunk(model: str, delta: dict[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _event({**_HEAD, "object": "chat.completion.chunk", "model": model, "choices": [choice]})


def _event(payload: dict[str, Any]) -> str:
    return f"data: {json.dumps(payload, ensure_ascii=False)}\n\n"
