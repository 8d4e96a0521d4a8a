"""A turn in the format of OpenAI's /v1/responses."""

import json
from collections.abc import Iterator
from typing import Any

from tests.endpoint.turns import Turn, cut_up


def events(turn: Turn, request: dict[str, Any]) -> Iterator[str]:
    """The server-sent events of a streamed answer."""
    head = {"id": "resp_scripted", "object": "response", "model": request.get("model", "scripted"), "output": []}
    yield _event("response.created", {"response": {**head, "status": "in_progress"}})
    items = _items(turn)
    for index, item in enumerate(items):
        yield _event("response.output_item.added", {"output_index": index, "item": item})
        if item["type"] == "message":
            for piece in cut_up(turn.text, turn.pieces):
                place = {"item_id": item["id"], "output_index": index, "content_index": 0}
                yield _event("response.output_text.delta", {**place, "delta": piece})
        yield _event("response.output_item.done", {"output_index": index, "item": item})
    yield _event("response.completed", {"response": whole(turn, request)})


def whole(turn: Turn, request: dict[str, Any]) -> dict[str, Any]:
    """The JSON of an answer that is not streamed."""
    return {
        "id": "resp_scripted",
        "object": "response",
        "created_at": 1_750_000_000,
        "model": request.get("model", "scripted"),
        "status": "completed",
        "output": _items(turn),
        "usage": {
            "input_tokens": turn.input_tokens,
            "input_tokens_details": {"cached_tokens": turn.cached_tokens},
            "output_tokens": turn.output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": turn.input_tokens + turn.output_tokens,
        },
    }


def error(status: int, text: str) -> dict[str, Any]:
    return {"error": {"message": text, "type": "error", "code": f"status_{status}"}}


def error_event(text: str) -> str:
    return _event("error", {"code": "server_error", "message": text})


def malformed_event() -> str:
    return 'event: response.output_text.delta\ndata: {"delta": \n\n'


def _items(turn: Turn) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if turn.text:
        text = {"type": "output_text", "text": turn.text, "annotations": []}
        message = {"type": "message", "id": "msg_scripted", "role": "assistant", "status": "completed"}
        items.append({**message, "content": [text]})
    for index, call in enumerate(turn.calls):
        space, _, name = call.name.rpartition("/")
        ident = call.id or f"call_{index + 1}"
        item = {"type": "function_call", "id": f"fc_{index + 1}", "call_id": ident, "name": name}
        items.append({**item, "arguments": call.json, "status": "completed", **({"namespace": space} if space else {})})
    return items


def _event(kind: str, payload: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **payload}, ensure_ascii=False)}\n\n"
