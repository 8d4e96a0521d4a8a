"""What an answer cost, from the settings' prices or from genai-prices' table."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

_MILLION = 1_000_000


@dataclass(frozen=True)
class Prices:
    """US dollars for a million tokens. What is None costs as much as plain input."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


def cost_of(response: "ModelResponse", prices: Prices | None = None) -> float | None:
    """US dollars, or None when nobody knows the price."""
    if prices is not None:
        return _from_settings(response, prices)
    if response.usage.cost is not None:
        return float(response.usage.cost)
    if not response.model_name:
        return None
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError):
        return None


def _from_settings(response: "ModelResponse", prices: Prices) -> float:
    usage = response.usage
    read = prices.input if prices.cache_read is None else prices.cache_read
    write = prices.input if prices.cache_write is None else prices.cache_write
    plain = max(usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens, 0)
    total = (
        plain * prices.input
        + usage.cache_read_tokens * read
        + usage.cache_write_tokens * write
        + usage.output_tokens * prices.output
    )
    return total / _MILLION
