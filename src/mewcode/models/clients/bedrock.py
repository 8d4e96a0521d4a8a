"""Amazon Bedrock (needs the extra `mewcode[bedrock]`). Credentials come from AWS's usual places."""

from typing import TYPE_CHECKING

from mewcode.errors import ModelError
from mewcode.models.endpoint import Endpoint
from mewcode.models.price_table import UNKNOWN_WINDOW

if TYPE_CHECKING:
    from pydantic_ai.models import Model


def preload() -> None:
    """Nothing: the extra may be missing, and `build` says so."""


def build(endpoint: Endpoint) -> "Model":
    try:
        from pydantic_ai.models.bedrock import BedrockConverseModel
        from pydantic_ai.providers.bedrock import BedrockProvider
    except ImportError as error:
        raise ModelError("models.bedrock_missing", model=endpoint.name) from error
    if endpoint.api_key:
        provider = BedrockProvider(base_url=endpoint.base_url, api_key=endpoint.api_key)
    else:
        provider = BedrockProvider(base_url=endpoint.base_url)
    return BedrockConverseModel(endpoint.model, provider=provider, profile=UNKNOWN_WINDOW)
