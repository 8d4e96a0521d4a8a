"""Which model answers, chosen from settings and surroundings."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from mewcode.app.options import AppOptions
from mewcode.app.prefetch import prefetch_tools
from mewcode.config import LoadedSettings, Paths
from mewcode.models import LanguageModel, ModelChoice, ModelEvent, ModelInput, ModelProfile, choose_model, open_model
from mewcode.models.events import Leaving

LEAVING_SECONDS = 0.1
"""What it takes a request to be on its way; connecting is a matter of waiting, which imports do not hold up."""


def choose(options: AppOptions, loaded: LoadedSettings, paths: Paths, override: str | None = None) -> ModelChoice:
    """Raises ModelError when no model is there, with what to do about it."""

    def embedded() -> str | None:
        from mewcode.models.local.weights import embedded_model

        return embedded_model(paths.models)

    return choose_model(loaded.settings, options.environ, override=override or options.model, embedded=embedded)


def open_chosen(
    choice: ModelChoice, loaded: LoadedSettings, paths: Paths, asked: Callable[[], object]
) -> LanguageModel:
    """`asked` is called when the first request is out."""
    return announced(open_model(choice, loaded.settings.models, paths.models), asked)


def announced(model: LanguageModel, asked: Callable[[], object]) -> LanguageModel:
    return _Announced(model, asked)


class _Announced:
    """A model that says when its first request is out, and has the tools made ready while it waits for the answer."""

    def __init__(self, model: LanguageModel, asked: Callable[[], object]) -> None:
        self._model = model
        self._tell = asked
        self._asked = False

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def context_window(self) -> int:
        return self._model.context_window

    @property
    def profile(self) -> ModelProfile:
        return self._model.profile

    async def stream(self, request: ModelInput) -> AsyncGenerator[ModelEvent, None]:
        async with aclosing(self._model.stream(request)) as events:
            async for event in events:
                if isinstance(event, Leaving):
                    asyncio.get_running_loop().call_later(LEAVING_SECONDS, self._is_out)
                    continue
                self._is_out()
                yield event

    async def close(self) -> None:
        await self._model.close()

    def _is_out(self) -> None:
        """Once, behind the first request: before it, the import would hold the request up."""
        if not self._asked:
            self._asked = True
            self._tell()
            prefetch_tools()
