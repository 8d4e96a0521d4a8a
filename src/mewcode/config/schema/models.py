"""Which language models there are, and how they are asked."""

from typing import Literal

from pydantic import Field

from mewcode.config.quantities import Duration
from mewcode.config.schema.base import Entry, Group


class Prices(Group):
    """US dollars per million tokens, for the cost that the status line and `--max-cost` count."""

    input: float = Field(default=0.0, ge=0)
    """Fresh input."""
    output: float = Field(default=0.0, ge=0)
    """Output, thinking included."""
    cache_read: float | None = Field(default=None, ge=0)
    """Input out of the provider's cache; as input when absent."""
    cache_write: float | None = Field(default=None, ge=0)
    """Input written to the provider's cache; as input when absent."""


class ProviderEntry(Entry):
    """A provider of your own, or other access to a known one. Its name goes before the colon in `model`."""

    type: Literal["openai", "openai-responses", "anthropic", "google", "bedrock", "azure", "ollama"] = "openai"
    """The wire format that the endpoint speaks."""
    base_url: str | None = Field(default=None, pattern=r"^https?://")
    """The endpoint, without the last part (/chat/completions, /messages)."""
    api_key: str | None = Field(default=None, repr=False)
    """The key, best as ${VAR} or ${file:PATH}."""
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    """Further HTTP headers of each request."""
    models: list[str] = Field(default_factory=list[str])
    """The models it has, for completion; the first one is its default."""
    context_window: int | None = Field(default=None, gt=0)
    """Tokens that fit into one request, where the model is not known to us."""
    prices: dict[str, Prices] = Field(default_factory=dict[str, Prices])
    """By model name; "*" stands for the others."""
    timeout: Duration | None = None
    """Seconds without a byte before a request is given up; `models.timeout` when absent."""


class ModelsGroup(Group):
    """How requests to language models are made."""

    timeout: Duration = 60.0
    """Seconds without a byte from the provider before a request counts as failed."""
    retries: int = Field(default=4, ge=0, le=20)
    """Further attempts after 429, 5xx, overload or a lost connection, with growing pauses."""
    max_retry_wait: Duration = 60.0
    """The longest single pause, also when the provider asks for more."""
    max_tokens: int | None = Field(default=None, gt=0)
    """Tokens that one answer may have; the model's own limit when absent."""
    thinking: Literal["off", "low", "medium", "high"] | None = None
    """How much the model may think, where it can; its own default when absent."""
    prompt_caching: bool = True
    """Mark the stable prefix for the provider's cache, where it has one."""
    embedded: bool = True
    """Offer the embedded model when nothing else is there."""
    download_url: str | None = Field(default=None, pattern=r"^https?://")
    """Where `model pull` fetches the embedded model's weights, instead of the official release."""
