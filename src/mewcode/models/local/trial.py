"""Tries the embedded model out: does it start, how fast does it read and write."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mewcode.errors import ModelError
from mewcode.models.local.prompt import fixed_messages
from mewcode.models.local.server import LlamaServer

_QUESTION = "Say in one sentence what a unit test is."
_ANSWER_TOKENS = 48


@dataclass(frozen=True)
class Trial:
    """Seconds and tokens a second. `start_seconds` covers checking and loading the weights."""

    start_seconds: float
    first_answer_seconds: float
    read_tokens_per_second: float
    written_tokens_per_second: float
    text: str


async def try_out(start: Callable[[], Awaitable[LlamaServer]]) -> Trial:
    """Starts the model, asks one short question, and ends it again. Raises ModelError when it does not work."""
    import httpx2

    begun = time.monotonic()
    server = await start()
    started = time.monotonic()
    try:
        # Not the fixed prompt, whose saved state would make the reading speed look like magic.
        body = {"messages": [{"role": "user", "content": f"{fixed_messages()[0]['content']}\n\n{_QUESTION}"}]}
        answer = await server.client.post("/v1/chat/completions", json={**body, "max_tokens": _ANSWER_TOKENS})
        answer.raise_for_status()
    except httpx2.HTTPError as error:
        raise ModelError("models.embedded_died", model="local", detail=error) from error
    finally:
        await server.close()
    content: dict[str, Any] = answer.json()
    timings: dict[str, float] = content.get("timings") or {}
    return Trial(
        started - begun,
        time.monotonic() - started,
        timings.get("prompt_per_second", 0.0),
        timings.get("predicted_per_second", 0.0),
        content["choices"][0]["message"]["content"].strip(),
    )
