"""Which model answers, chosen from settings and surroundings."""

from mewcode.app.options import AppOptions
from mewcode.config import LoadedSettings, Paths
from mewcode.models import LanguageModel, ModelChoice, choose_model, open_model


def choose(options: AppOptions, loaded: LoadedSettings, paths: Paths, override: str | None = None) -> ModelChoice:
    """Raises ModelError when no model is there, with what to do about it."""

    def embedded() -> str | None:
        from mewcode.models.local.weights import embedded_model

        return embedded_model(paths.models)

    return choose_model(loaded.settings, options.environ, override=override or options.model, embedded=embedded)


def open_chosen(choice: ModelChoice, loaded: LoadedSettings, paths: Paths) -> LanguageModel:
    return open_model(choice, loaded.settings.models, paths.models)
