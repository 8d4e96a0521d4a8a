"""A turn in the format of Anthropic's /v1/messages."""

import json
from collections.abc import Iterator
from typing import Any

from tests.endpoint.turns import Turn, cut_up


def events(turn: Turn, request: dict[str, Any]) -> Iterator[str]:
    """The server-sent events of a streamed answer."""
    head = {**_head(turn, request), "content": [], "stop_reason": None, "stop_sequence": None}
    yield _event("message_start", {"message": head})
    for index, block in enumerate(_blocks(turn)):
        yield from _block_events(index, block, turn.pieces)
    delta = {"stop_reason": _finish(turn), "stop_sequence": None}
    yield _event("message_delta", {"delta": delta, "usage": {"output_tokens": turn.output_tokens}})
    yield _event("message_stop", {})


def whole(turn: Turn, request: dict[str, Any]) -> dict[str, Any]:
    """The JSON of an answer that is not streamed. Broken arguments cannot be said in this form: they become {}."""
    content = [
        {**block, "input": _parsed(block["input"])} if block["type"] == "tool_use" else block for block in _blocks(turn)
    ]
    return {**_head(turn, request), "content": content, "stop_reason": _finish(turn), "stop_sequence": None}


def error(status: int, text: str) -> dict[str, Any]:
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
    return {"type": "error", "error": {"type": kinds.get(status, "api_error"), "message": text}}


def error_event(text: str) -> str:
    return _event("error", {"error": {"type": "overloaded_error", "message": text}})


def malformed_event() -> str:
    return 'event: content_block_delta\ndata: {"type": "content_block_delta", "delta": \n\n'


def _head(turn: Turn, request: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": request.get("model", "scripted"),
        "usage": {
            "input_tokens": turn.input_tokens - turn.cached_tokens,
            "cache_read_input_tokens": turn.cached_tokens,
            "cache_creation_input_tokens": 0,
            "output_tokens": turn.output_tokens,
        },
    }


def _blocks(turn: Turn) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if turn.thinking:
        blocks.append({"type": "thinking", "thinking": turn.thinking, "signature": "scripted-signature"})
    if turn.text:
        blocks.append({"type": "text", "text": turn.text})
    for index, call in enumerate(turn.calls):
        blocks.append(
            {"type": "tool_use", "id": call.id or f"toolu_{index + 1}", "name": call.name, "input": call.json}
        )
    return blocks


def _block_events(index: int, block: dict[str, Any], pieces: int) -> Iterator[str]:
    match block["type"]:
        case "thinking":
            start, deltas = {**block, "thinking": "", "signature": ""}, _deltas("thinking", block["thinking"], pieces)
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        case "text":
            start, deltas = {**block, "text": ""}, _deltas("text", block["text"], pieces)
        case _:
            start = {**block, "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in cut_up(block["input"], pieces)]
    yield _event("content_block_start", {"index": index, "content_block": start})
    for delta in deltas:
        yield _event("content_block_delta", {"index": index, "delta": delta})
    yield _event("content_block_stop", {"index": index})


def _deltas(kind: str, text: str, pieces: int) -> list[dict[str, Any]]:
    return [{"type": f"{kind}_delta", kind: piece} for piece in cut_up(text, pieces)]


def _finish(turn: Turn) -> str:
    return turn.finish or ("tool_use" if turn.calls else "end_turn")


def _parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return {}


def _event(kind: str, payload: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **payload}, ensure_ascii=False)}\n\n"
