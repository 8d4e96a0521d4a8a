"""OpenAI chat completions, and everything that speaks the same format at another address."""

from typing import TYPE_CHECKING

from mewcode.models.endpoint import Endpoint
from mewcode.models.price_table import UNKNOWN_WINDOW

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from pydantic_ai.models import Model
    from pydantic_ai.providers import Provider

CONNECT_SECONDS = 15.0

_NO_KEY = "no-key-needed"
"""The SDK insists on a key; a server that needs none ignores it."""


def preload() -> None:
    """Imports what `build` needs, so that a thread can do it ahead."""
    from pydantic_ai.models import openai
    from pydantic_ai.providers import openai_compatible

    from mewcode.models.clients import openai_plain

    _ = openai, openai_compatible, openai_plain


def build(endpoint: Endpoint) -> "Model":
    """A model that never retries by itself and gives up after `idle_seconds` without a byte."""
    from pydantic_ai.models.openai import OpenAIChatModel

    return OpenAIChatModel(endpoint.model, provider=provider_of(endpoint), profile=UNKNOWN_WINDOW)


def provider_of(endpoint: Endpoint) -> "Provider[AsyncOpenAI]":
    """The vendor's own provider class knows what its models can do; the client is ours in every case."""
    if endpoint.vendor == "azure":
        return _azure(endpoint)
    from openai import Timeout

    from mewcode.models.clients.openai_plain import PlainOpenAI

    client = PlainOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key or _NO_KEY,
        default_headers=dict(endpoint.headers),
        max_retries=0,
        timeout=Timeout(endpoint.idle_seconds, connect=CONNECT_SECONDS),
    )
    match endpoint.vendor:
        case "openai":
            from pydantic_ai.providers.openai import OpenAIProvider

            return OpenAIProvider(openai_client=client)
        case "zai":
            from pydantic_ai.providers.zai import ZaiProvider

            return ZaiProvider(openai_client=client)
        case "deepseek":
            from pydantic_ai.providers.deepseek import DeepSeekProvider

            return DeepSeekProvider(openai_client=client)
        case "moonshotai":
            from pydantic_ai.providers.moonshotai import MoonshotAIProvider

            return MoonshotAIProvider(openai_client=client)
        case "alibaba":
            from pydantic_ai.providers.alibaba import AlibabaProvider

            return AlibabaProvider(openai_client=client)
        case "openrouter":
            from pydantic_ai.providers.openrouter import OpenRouterProvider

            return OpenRouterProvider(openai_client=client)
        case "ollama":
            from pydantic_ai.providers.ollama import OllamaProvider

            return OllamaProvider(openai_client=client)
        case _:
            return _compatible(endpoint, client)


def _compatible(endpoint: Endpoint, client: "AsyncOpenAI") -> "Provider[AsyncOpenAI]":
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    return OpenAICompatibleProvider(endpoint.provider, openai_client=client)


def _azure(endpoint: Endpoint) -> "Provider[AsyncOpenAI]":
    from openai import AsyncAzureOpenAI, Timeout
    from pydantic_ai.providers.azure import AzureProvider

    client = AsyncAzureOpenAI(
        azure_endpoint=endpoint.base_url or "",
        api_key=endpoint.api_key,
        api_version=endpoint.headers.get("api-version", "2025-04-01-preview"),
        default_headers=dict(endpoint.headers),
        max_retries=0,
        timeout=Timeout(endpoint.idle_seconds, connect=CONNECT_SECONDS),
    )
    return AzureProvider(openai_client=client)
