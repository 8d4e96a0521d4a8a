"""Which model answers, chosen from settings and surroundings."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from mewcode.app.options import AppOptions
from mewcode.app.prefetch import prefetch_tools
from mewcode.config import LoadedSettings, Paths
from mewcode.models import LanguageModel, ModelChoice, ModelEvent, ModelInput, ModelProfile, choose_model, open_model


def choose(options: AppOptions, loaded: LoadedSettings, paths: Paths, override: str | None = None) -> ModelChoice:
    """Raises ModelError when no model is there, with what to do about it."""

    def embedded() -> str | None:
        from mewcode.models.local.weights import embedded_model

        return embedded_model(paths.models)

    return choose_model(loaded.settings, options.environ, override=override or options.model, embedded=embedded)


def open_chosen(
    choice: ModelChoice, loaded: LoadedSettings, paths: Paths, answering: Callable[[], object]
) -> LanguageModel:
    """`answering` is called when the model has begun to answer, each time."""
    return _Announced(open_model(choice, loaded.settings.models, paths.models), answering)


class _Announced:
    """A model that says when it has begun to answer, and has the tools made ready then."""

    def __init__(self, model: LanguageModel, answering: Callable[[], object]) -> None:
        self._model = model
        self._answering = answering
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
                self._answering()
                self._prefetch()
                yield event

    async def close(self) -> None:
        await self._model.close()

    def _prefetch(self) -> None:
        """Once, behind the first request: before it, the import would hold the request up."""
        if not self._asked:
            self._asked = True
            prefetch_tools()
