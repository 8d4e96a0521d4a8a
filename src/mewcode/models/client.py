"""A source of answers over HTTP: builds pydantic-ai's model at first use, so that start-up does not wait for it."""

import importlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from anyio import to_thread

from mewcode.models.endpoint import Endpoint
from mewcode.models.events import ModelEvent
from mewcode.models.interface import ModelInput
from mewcode.models.streaming import stream_once

if TYPE_CHECKING:
    from pydantic_ai.models import Model

DEFAULT_WINDOW = 128_000
LOCAL_WINDOW = 32_000
"""Tokens to count on when neither the settings nor the price table know a model."""


class HttpSource:
    """One model at one endpoint."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._model: Model | None = None

    async def stream(self, request: ModelInput) -> AsyncIterator[ModelEvent]:
        async for event in stream_once(await self._opened(), request, self.endpoint.prices):
            yield event

    async def context_window(self) -> int:
        """Tokens: from the settings, else what genai-prices knows, else a careful default."""
        if self.endpoint.context_window:
            return self.endpoint.context_window
        known = (await self._opened()).context_window
        return known or (LOCAL_WINDOW if self.endpoint.on_this_machine else DEFAULT_WINDOW)

    async def close(self) -> None:
        model, self._model = self._model, None
        client = getattr(model, "client", None)
        if client is not None and hasattr(client, "close"):
            await client.close()

    async def _opened(self) -> "Model":
        if self._model is None:
            self._model = await to_thread.run_sync(build_model, self.endpoint)
        return self._model


def build_model(endpoint: Endpoint) -> "Model":
    """Imports the one SDK that `endpoint` needs and builds its model class."""
    module = importlib.import_module(f"mewcode.models.clients.{endpoint.wire}")
    return module.build(endpoint)
