"""The table of prices and context windows: 1.6 MB of Python, which no request needs before it is answered."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from anyio import to_thread

from mewcode.models.importing import importing

if TYPE_CHECKING:
    from genai_prices.types import Provider
    from pydantic_ai.models import Model
    from pydantic_ai.profiles import ModelProfile

UNKNOWN_WINDOW: "ModelProfile" = {"context_window": None}
"""A profile for a new model: with it, pydantic-ai does not look for the window in the table."""


class _Deferred:
    """Stands for the list of providers, and loads it when somebody looks through it."""

    def __iter__(self) -> Iterator["Provider"]:
        return iter(_providers())


def defer_price_table() -> None:
    """pydantic-ai loads the table whenever it makes a model; after this, when it first looks something up."""
    from genai_prices.data_snapshot import DataSnapshot, set_custom_snapshot

    set_custom_snapshot(DataSnapshot(providers=cast("Any", _Deferred()), from_auto_update=False))


def price_table_is_loaded() -> bool:
    return hasattr(sys.modules.get("genai_prices.data"), "providers")


async def load_price_table() -> None:
    """Loads the table in a thread, where that has not been done."""
    if not price_table_is_loaded():
        await to_thread.run_sync(_providers)


def context_window_of(model: "Model") -> int | None:
    """Tokens, where the table knows the model at its address or with its provider."""
    from genai_prices.data_snapshot import DataSnapshot

    snapshot = DataSnapshot(providers=_providers(), from_auto_update=False)
    for provider, address in ((None, model.base_url), (model.system, None)):
        try:
            _, found = snapshot.find_provider_model(model.model_name, None, provider, address)
        except LookupError:
            continue
        return found.context_window
    return None


def _providers() -> "list[Provider]":
    with importing():
        from genai_prices.data import providers

    return providers
