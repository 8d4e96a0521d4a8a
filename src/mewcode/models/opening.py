"""Opens the chosen model: sources, retries and fallback put together."""

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from mewcode.config.schema import ModelsGroup
from mewcode.models.choice import ModelChoice
from mewcode.models.client import HttpSource, RequestDefaults, import_client
from mewcode.models.endpoint import Endpoint
from mewcode.models.interface import LanguageModel, Thinking
from mewcode.models.resilience import Backoff, ResilientModel

if TYPE_CHECKING:
    from pathlib import Path


def open_model(choice: ModelChoice, settings: ModelsGroup, models_folder: "Path") -> LanguageModel:
    """A model that is ready to be asked; nothing is imported or connected before the first request.

    `models_folder` is where the embedded model's weights and saved prompt live.
    """
    if choice.embedded:
        from mewcode.models.local.opening import open_embedded

        return open_embedded(choice.endpoint, models_folder)
    endpoints = [one.sendable() for one in (choice.endpoint, choice.fallback) if one is not None]
    defaults = RequestDefaults(settings.max_tokens, _thinking(settings), settings.prompt_caching)
    backoff = Backoff(attempts=settings.retries + 1, longest=settings.max_retry_wait)
    return ResilientModel([HttpSource(endpoint, defaults) for endpoint in endpoints], backoff=backoff)


def warm(endpoint: Endpoint) -> threading.Thread:
    """Begins the import of what `endpoint` needs, in a thread, so that it is over when the first prompt is typed."""
    thread = threading.Thread(target=_import_quietly, args=(endpoint,), name="warm-models", daemon=True)
    thread.start()
    return thread


def _import_quietly(endpoint: Endpoint) -> None:
    """A missing SDK is reported by the request that needs it."""
    with suppress(ImportError):
        import_client(endpoint)


def _thinking(settings: ModelsGroup) -> Thinking | None:
    return False if settings.thinking == "off" else settings.thinking
