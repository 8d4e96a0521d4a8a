"""One chat request to the embedded model's server: what goes out, and what comes back piece by piece."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, Final, cast

from mewcode.errors import ModelError
from mewcode.models.events import Usage
from mewcode.models.interface import ModelInput
from mewcode.models.local.prompt import Message, fixed_messages
from mewcode.models.local.server import LlamaServer
from mewcode.models.local.steps import schema_for
from mewcode.models.local.transcript import Said, fitted

STEP_TOKENS: Final = 1_200
"""The longest step: at twenty tokens a second, a minute."""


@dataclass
class Reply:
    """What has come of one request."""

    raw: str = ""
    finish: str = "stop"
    usage: Usage = field(default_factory=Usage)


class TooLongError(Exception):
    """The messages did not fit the window after all."""


def chat_body(request: ModelInput, said: tuple[Said, ...], tools: list[str], characters: int) -> dict[str, Any]:
    body: dict[str, Any] = {
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.0,
        "max_tokens": min(request.max_tokens or STEP_TOKENS, STEP_TOKENS),
        "cache_prompt": True,
        "messages": _messages(request, said, tools, characters),
    }
    if tools:
        schema = {"name": "step", "strict": True, "schema": schema_for(tools)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def _messages(request: ModelInput, said: tuple[Said, ...], tools: list[str], characters: int) -> list[Message]:
    """Without tools it is a plain question (a summary, say), under the caller's own system prompt."""
    if tools:
        return [*fixed_messages(), *fitted(said, characters)]
    system = request.system or "You are a helpful assistant. Answer briefly."
    return [{"role": "system", "content": system}, *fitted(said, characters)]


async def stream_chat(server: LlamaServer, body: dict[str, Any], reply: Reply) -> AsyncGenerator[None, None]:
    async with server.client.stream("POST", "/v1/chat/completions", json=body) as response:
        if response.status_code != 200:
            text = (await response.aread()).decode(errors="replace")
            if "exceed" in text and "context" in text:
                raise TooLongError
            raise ModelError("models.embedded_refused", status=response.status_code, detail=text[:300])
        async for line in response.aiter_lines():
            if line.startswith("data: ") and line != "data: [DONE]":
                _take_in(json.loads(line[6:]), reply)
                yield


def _take_in(chunk: dict[str, Any], reply: Reply) -> None:
    for choice in cast("list[dict[str, Any]]", chunk.get("choices") or []):
        delta = cast("dict[str, Any]", choice.get("delta") or {})
        reply.raw += delta.get("content") or ""
        reply.finish = choice.get("finish_reason") or reply.finish
    usage = cast("dict[str, Any]", chunk.get("usage") or {})
    if usage:
        details = cast("dict[str, Any]", usage.get("prompt_tokens_details") or {})
        cached = details.get("cached_tokens", 0)
        reply.usage = Usage(usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0), cached)
