"""Google's Gemini API."""

from typing import TYPE_CHECKING

from mewcode.models.endpoint import Endpoint
from mewcode.models.price_table import UNKNOWN_WINDOW

if TYPE_CHECKING:
    from pydantic_ai.models import Model


def preload() -> None:
    """Imports what `build` needs, so that a thread can do it ahead."""
    from pydantic_ai.models import google
    from pydantic_ai.providers import google as provider

    _ = google, provider


def build(endpoint: Endpoint) -> "Model":
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=endpoint.api_key or "no-key", base_url=endpoint.base_url)
    return GoogleModel(
        endpoint.model, provider=provider, profile=UNKNOWN_WINDOW, settings={"timeout": endpoint.idle_seconds}
    )
