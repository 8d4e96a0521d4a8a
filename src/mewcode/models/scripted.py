"""A language model played by a function, for tests and for callers that bring a pydantic-ai model of their own."""

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from mewcode.models.events import ModelEvent
from mewcode.models.interface import ModelInput, ModelProfile
from mewcode.models.prices import Prices
from mewcode.models.streaming import stream_once

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.models.function import StreamFunctionDef


class SingleModel:
    """One pydantic-ai model as a `LanguageModel`, without retries and fallback."""

    def __init__(
        self,
        model: "Model",
        name: str,
        *,
        context_window: int = 128_000,
        profile: ModelProfile | None = None,
        prices: Prices | None = None,
    ) -> None:
        self.name = name
        self.context_window = context_window
        self.profile = profile or ModelProfile()
        self._model = model
        self._prices = prices

    def stream(self, request: ModelInput) -> AsyncGenerator[ModelEvent, None]:
        return stream_once(self._model, request, self._prices)

    async def close(self) -> None:
        return


def function_model(
    function: "StreamFunctionDef", *, name: str = "test:scripted", context_window: int = 128_000
) -> SingleModel:
    """A model that streams whatever `function(messages, info)` yields: text, or `{index: DeltaToolCall(...)}`."""
    from pydantic_ai.models.function import FunctionModel

    return SingleModel(FunctionModel(stream_function=function), name, context_window=context_window)
