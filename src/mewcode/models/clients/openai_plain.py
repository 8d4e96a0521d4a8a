"""An OpenAI client that sends messages and tools as it gets them."""

from functools import cached_property
from typing import Any

from openai import AsyncOpenAI
from openai.resources.chat import AsyncChat
from openai.resources.chat.completions import AsyncCompletions

_AS_THEY_ARE = ("messages", "tools")


class PlainOpenAI(AsyncOpenAI):
    """The SDK looks through every message and tool, against every type of message there is, for keys to rename and
    files to encode. There are none, pydantic-ai having built them for the wire; a conversation of fifty steps costs
    that search 25 ms in each request. As additional parts of the body they are not searched.
    """

    @cached_property
    def chat(self) -> AsyncChat:  # pyright: ignore[reportIncompatibleMethodOverride]
        return _Chat(self)


class _Chat(AsyncChat):
    @cached_property
    def completions(self) -> AsyncCompletions:  # pyright: ignore[reportIncompatibleMethodOverride]
        return _Completions(self._client)


class _Completions(AsyncCompletions):
    async def create(self, **parameters: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        body = dict(parameters.pop("extra_body", None) or {})
        for name in _AS_THEY_ARE:
            if isinstance(value := parameters.pop(name, None), list):
                body[name] = value
        send: Any = super().create
        return await send(**parameters, messages=[], extra_body=body)
