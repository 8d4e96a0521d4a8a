"""A source of answers over HTTP: builds pydantic-ai's model at first use, so that start-up does not wait for it."""

import importlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING

from anyio import to_thread

from mewcode.models.endpoint import Endpoint
from mewcode.models.events import Leaving, ModelEvent
from mewcode.models.importing import importing
from mewcode.models.interface import ModelInput, Thinking
from mewcode.models.price_table import context_window_of, defer_price_table, price_table_is_loaded
from mewcode.models.streaming import stream_once

if TYPE_CHECKING:
    from pydantic_ai.models import Model

DEFAULT_WINDOW = 128_000
LOCAL_WINDOW = 32_000
"""Tokens to count on when neither the settings nor the price table know a model."""


@dataclass(frozen=True)
class RequestDefaults:
    """What the settings ask for where a request leaves it open. `cache`: mark the prefix for the provider's cache."""

    max_tokens: int | None = None
    thinking: Thinking | None = None
    cache: bool = True


class HttpSource:
    """One model at one endpoint."""

    def __init__(self, endpoint: Endpoint, defaults: RequestDefaults | None = None) -> None:
        self.endpoint = endpoint
        self._defaults = defaults or RequestDefaults()
        self._model: Model | None = None
        self._looked_up: tuple[int | None] | None = None
        """The window that the table has for the model, in a tuple of one once it was looked up."""

    @property
    def context_window(self) -> int:
        """Tokens: from the settings, else (once it has answered) from genai-prices, else a careful guess."""
        known = self.endpoint.context_window or self._window_in_table()
        return known or (LOCAL_WINDOW if self.endpoint.on_this_machine else DEFAULT_WINDOW)

    async def stream(self, request: ModelInput) -> AsyncGenerator[ModelEvent, None]:
        asked = replace(
            request,
            max_tokens=request.max_tokens or self._defaults.max_tokens,
            thinking=self._defaults.thinking if request.thinking is None else request.thinking,
        )
        model = await self._opened()
        yield Leaving()
        async with aclosing(stream_once(model, asked, self.endpoint.prices, cache=self._defaults.cache)) as events:
            async for event in events:
                yield event

    async def close(self) -> None:
        model, self._model = self._model, None
        client = getattr(model, "client", None)
        if client is not None and hasattr(client, "close"):
            await client.close()

    def _window_in_table(self) -> int | None:
        if self._model is None or not price_table_is_loaded():
            return None
        if self._looked_up is None:
            self._looked_up = (context_window_of(self._model),)
        return self._looked_up[0]

    async def _opened(self) -> "Model":
        if self._model is None:
            self._model = await to_thread.run_sync(build_model, self.endpoint)
        return self._model


def build_model(endpoint: Endpoint) -> "Model":
    """Imports the one SDK that `endpoint` needs and builds its model class."""
    return import_client(endpoint).build(endpoint)


def import_client(endpoint: Endpoint) -> ModuleType:
    """The module of `clients/` for the endpoint's wire format, with everything that a first request needs."""
    with importing():
        module = importlib.import_module(f"mewcode.models.clients.{endpoint.wire}")
        module.preload()
        defer_price_table()
        importlib.import_module("pydantic_ai.direct")
    return module
