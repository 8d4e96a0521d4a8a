"""The embedded model behind the same interface as every other."""

import hashlib
import json
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

import anyio

from mewcode.errors import ModelError
from mewcode.models.events import Finished, Loading, ModelEvent, Retrying, TextDelta, ToolCallStarted, Usage
from mewcode.models.interface import ModelInput, ModelProfile
from mewcode.models.local.chat import STEP_TOKENS, Reply, TooLongError, chat_body, stream_chat
from mewcode.models.local.coaching import instead_of, opening_step, with_test_result
from mewcode.models.local.prompt import ANSWER, TOOLS, fixed_messages
from mewcode.models.local.server import LlamaServer
from mewcode.models.local.steps import Step, answer_so_far, read_step
from mewcode.models.local.transcript import Said, read_transcript

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

CONTEXT: Final = 8_192
"""Tokens. A full window takes a minute and a half to read."""
_FIXED_TOKENS = 1_100
_CHARACTERS_PER_TOKEN = 3

PROFILE: Final = ModelProfile(
    embedded=True,
    own_prompt=True,
    max_steps=9,  # eight of its own, and the look at the file list
    ask_for_everything=True,
    stop_on_repeated_call=True,
    tools=TOOLS,
    images=False,
)


class EmbeddedModel:
    """Asks a llama.cpp server for one step at a time. `start` starts the server; it happens at the first request."""

    profile = PROFILE
    context_window = CONTEXT

    def __init__(self, name: str, start: Callable[[], Awaitable[LlamaServer]]) -> None:
        self.name = name
        self._start = start
        self._server: LlamaServer | None = None
        self._starting = anyio.Lock()

    async def stream(self, request: ModelInput) -> AsyncGenerator[ModelEvent, None]:
        """Raises ModelError: no weights, the server does not start, or died twice."""
        tools = [tool.name for tool in request.tools if tool.name in TOOLS]
        said = read_transcript(request.messages)
        opening = opening_step(said, tools)
        if opening is not None:
            yield ToolCallStarted(call := _new_id(), opening.tool)
            yield _finished(self.name, opening, Usage(), "tool_call", call)
            return
        async with aclosing(self._answer(request, said, tools)) as events:
            async for event in events:
                yield event

    async def close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            await server.close()

    async def _answer(
        self, request: ModelInput, said: tuple[Said, ...], tools: list[str]
    ) -> AsyncGenerator[ModelEvent, None]:
        held_back = instead_of(Step(ANSWER, {}, ""), said, tools).tool != ANSWER
        reply, shown = Reply(), ""
        async with aclosing(self._ask(request, said, tools, reply)) as pieces:
            async for event in pieces:
                if event is not None:
                    yield event
                    shown = "" if isinstance(event, Retrying) else shown
                    continue
                text = answer_so_far(reply.raw) if tools else reply.raw
                if not held_back and len(text) > len(shown):
                    yield TextDelta(text[len(shown) :])
                    shown = text
        step = read_step(reply.raw) if tools else Step(ANSWER, {"text": reply.raw}, reply.raw)
        step = instead_of(step, said, tools)
        if step.tool != ANSWER:
            yield ToolCallStarted(call := _new_id(), step.tool)
            yield _finished(self.name, step, reply.usage, "tool_call", call)
            return
        text = with_test_result(step.text, said) if tools else step.text
        if len(text) > len(shown):
            yield TextDelta(text[len(shown) :])
        yield _finished(self.name, Step(ANSWER, {"text": text}, step.raw), reply.usage, reply.finish, "")

    async def _ask(
        self, request: ModelInput, said: tuple[Said, ...], tools: list[str], reply: Reply
    ) -> AsyncGenerator[Loading | Retrying | None, None]:
        """Fills `reply`, yielding None after each piece. A server that died is started again, once."""
        import httpx2

        budget = (CONTEXT - STEP_TOKENS - _FIXED_TOKENS) * _CHARACTERS_PER_TOKEN
        for attempt in (1, 2, 3):
            if self._server is None or not self._server.running:
                yield Loading(self.name)
            server = await self._running()
            body = chat_body(request, said, tools, budget)
            try:
                async with aclosing(stream_chat(server, body, reply)) as pieces:
                    async for _ in pieces:
                        yield None
                return
            except TooLongError:
                budget //= 2
            except httpx2.HTTPError as error:
                await self.close()
                if attempt > 1:
                    raise ModelError("models.embedded_died", model=self.name, detail=error) from error
                yield Retrying(attempt, 0.0, "the embedded model's process ended", bool(reply.raw))
            reply.raw = ""
        raise ModelError("models.embedded_too_long", model=self.name)

    async def _running(self) -> LlamaServer:
        async with self._starting:
            if self._server is not None and not self._server.running:
                await self.close()
            if self._server is None:
                self._server = await self._start()
            return self._server


def prompt_fingerprint(weights: str) -> str:
    """Names a saved prompt: another prompt, model or window is another file."""
    key = json.dumps([weights, CONTEXT, fixed_messages()])
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def _finished(name: str, step: Step, usage: Usage, finish: str, call: str) -> Finished:
    return Finished(_response(name, step, usage, call), usage, 0.0, finish)


def _response(name: str, step: Step, usage: Usage, call: str) -> "ModelResponse":
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.usage import RequestUsage

    if step.tool == ANSWER:
        parts = [TextPart(step.text)] if step.text else []
    else:
        parts = [ToolCallPart(step.tool, dict(step.args) if step.args is not None else step.raw, call)]
    counted = RequestUsage(input_tokens=usage.input, output_tokens=usage.output, cache_read_tokens=usage.cache_read)
    return ModelResponse(parts, usage=counted, model_name=name, provider_name="local")


def _new_id() -> str:
    return f"call_{uuid.uuid4().hex[:12]}"
