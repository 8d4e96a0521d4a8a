"""An OpenAI client that sends a request for a completion as pydantic-ai built it."""

from functools import cached_property
from typing import Any

from openai import AsyncOpenAI, AsyncStream, NotGiven, Omit
from openai.types.chat import ChatCompletion, ChatCompletionChunk


class PlainOpenAI(AsyncOpenAI):
    """The SDK's own `chat.completions` looks through every message and tool, against every type of message there is,
    for keys to rename and files to encode; there are none, pydantic-ai having built them for the wire. In a long
    conversation the search takes several milliseconds of each request, and importing it delays the first one.
    """

    @cached_property
    def chat(self) -> "_Chat":  # pyright: ignore[reportIncompatibleMethodOverride, reportIncompatibleVariableOverride]
        return _Chat(self)


class _Chat:
    """Has the one resource that pydantic-ai uses."""

    def __init__(self, client: AsyncOpenAI) -> None:
        self.completions = _Completions(client)


class _Completions:
    def __init__(self, client: AsyncOpenAI) -> None:
        self._client = client

    async def create(self, *, stream: bool = False, **parameters: Any) -> Any:
        """The parameters of the SDK's method of that name; what is omitted stays out of the body."""
        given = {name: value for name, value in parameters.items() if not isinstance(value, Omit | NotGiven)}
        headers = given.pop("extra_headers", None)
        extra = given.pop("extra_body", None)
        options: dict[str, Any] = {}
        if headers:
            options["headers"] = headers
        if extra:
            options["extra_json"] = extra
        if "timeout" in given:
            options["timeout"] = given.pop("timeout")
        if stream:
            given["stream"] = True
        post: Any = self._client.post
        return await post(
            "/chat/completions",
            body=given,
            cast_to=ChatCompletion,
            options=options,
            stream=stream,
            stream_cls=AsyncStream[ChatCompletionChunk],
        )
