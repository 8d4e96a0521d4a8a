"""OpenAI's Responses API."""

from typing import TYPE_CHECKING

from mewcode.models.clients.openai import preload, provider_of
from mewcode.models.endpoint import Endpoint
from mewcode.models.price_table import UNKNOWN_WINDOW

if TYPE_CHECKING:
    from pydantic_ai.models import Model

__all__ = ["build", "preload"]


def build(endpoint: Endpoint) -> "Model":
    from pydantic_ai.models.openai import OpenAIResponsesModel

    return OpenAIResponsesModel(endpoint.model, provider=provider_of(endpoint), profile=UNKNOWN_WINDOW)
