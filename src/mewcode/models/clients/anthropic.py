"""Anthropic messages, at Anthropic's or any compatible address."""

from typing import TYPE_CHECKING

from mewcode.models.clients.openai import CONNECT_SECONDS
from mewcode.models.endpoint import Endpoint
from mewcode.models.price_table import UNKNOWN_WINDOW

if TYPE_CHECKING:
    from pydantic_ai.models import Model


def preload() -> None:
    """Imports what `build` needs, so that a thread can do it ahead."""
    from pydantic_ai.models import anthropic
    from pydantic_ai.providers import anthropic as provider

    _ = anthropic, provider


def build(endpoint: Endpoint) -> "Model":
    from anthropic import AsyncAnthropic, Timeout
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key or "no-key-needed",
        default_headers=dict(endpoint.headers),
        max_retries=0,
        timeout=Timeout(endpoint.idle_seconds, connect=CONNECT_SECONDS),
    )
    return AnthropicModel(endpoint.model, provider=AnthropicProvider(anthropic_client=client), profile=UNKNOWN_WINDOW)
