"""From a name like "deepseek:deepseek-chat" to the endpoint behind it."""

import difflib
from collections.abc import Mapping
from dataclasses import replace

from mewcode.config.schema import Prices as PriceEntry
from mewcode.config.schema import ProviderEntry, Settings
from mewcode.errors import ModelError
from mewcode.models.catalogue import KNOWN_PROVIDERS, KnownProvider, WireFormat, known_names, known_provider
from mewcode.models.endpoint import LOCAL_IDLE_SECONDS, Endpoint
from mewcode.models.local_servers import is_local, local_address, probe
from mewcode.models.prices import Prices

_FAMILIES = {
    "claude": "anthropic",
    "gpt": "openai",
    "o1": "openai",
    "o3": "openai",
    "o4": "openai",
    "gemini": "google",
    "glm": "glm",
    "deepseek": "deepseek",
    "kimi": "kimi",
    "moonshot": "kimi",
    "qwen": "qwen",
    "mistral": "mistral",
    "codestral": "mistral",
    "devstral": "mistral",
}
"""Whose model it is when only the model is named."""

_ENTRY_WIRES: dict[str, WireFormat] = {
    "openai": "openai",
    "azure": "openai",
    "ollama": "openai",
    "openai-responses": "openai_responses",
    "anthropic": "anthropic",
    "google": "google",
    "bedrock": "bedrock",
}


def resolve(name: str, settings: Settings, environ: Mapping[str, str]) -> Endpoint:
    """The endpoint of "provider:model", "provider" (its default model) or "model" (its maker).

    Raises ModelError: no such provider (with the nearest name), no model named, no key, no address.
    """
    provider, model = _split(name, settings)
    entry = settings.providers.get(provider)
    known = known_provider(provider)
    if entry is not None:
        endpoint = _of_entry(provider, model, entry, known, environ)
    elif known is not None:
        endpoint = _of_known(known, model, environ)
    else:
        raise _unknown(provider, name, settings)
    return replace(endpoint, idle_seconds=_idle(endpoint, entry, settings))


def key_in_environment(known: KnownProvider, environ: Mapping[str, str]) -> str | None:
    """The variable of `environ` that holds its key."""
    return next((variable for variable in known.keys if environ.get(variable)), None)


def _split(name: str, settings: Settings) -> tuple[str, str | None]:
    head, colon, tail = name.strip().partition(":")
    if colon:
        return head, tail or None
    if head in settings.providers or known_provider(head):
        return head, None
    owner = next((name for name, entry in settings.providers.items() if head in entry.models), None)
    family = next((provider for start, provider in _FAMILIES.items() if head.casefold().startswith(start)), None)
    provider = owner or family
    return (provider, head) if provider else (head, None)


def _of_entry(
    name: str, model: str | None, entry: ProviderEntry, known: KnownProvider | None, environ: Mapping[str, str]
) -> Endpoint:
    if entry.problem:
        raise ModelError("models.entry_unusable", provider=name, detail=entry.problem)
    base = _of_known(known, model or "", environ, strict=False) if known else None
    chosen = model or next(iter(entry.models), None) or (known.default_model if known else None)
    if chosen is None:
        raise ModelError("models.no_model", provider=name)
    wire = _ENTRY_WIRES[entry.type]
    url = entry.base_url or (base.base_url if base else None)
    if url is None and known is None and wire in {"openai", "openai_responses"}:
        raise ModelError("models.no_address", provider=name)
    # A known provider's own key is only ever sent to that provider's own address.
    own_key = base.api_key if base and not entry.base_url else None
    return Endpoint(
        provider=name,
        model=chosen,
        wire=wire,
        base_url=_address_for(wire, url),
        api_key=entry.api_key or own_key,
        headers=dict(entry.headers),
        vendor="azure" if entry.type == "azure" else _vendor(known, entry),
        context_window=entry.context_window,
        prices=_prices(entry.prices.get(chosen) or entry.prices.get("*")),
        key_variables=known.keys if known else (),
    )


def _of_known(known: KnownProvider, model: str | None, environ: Mapping[str, str], *, strict: bool = True) -> Endpoint:
    variable = key_in_environment(known, environ)
    if strict and variable is None and known.needs_key:
        raise ModelError("models.no_key", provider=known.name, variable=known.keys[0])
    address = next((environ[key] for key in known.address_keys if environ.get(key)), known.base_url)
    if is_local(known):
        address = local_address(known, environ)
        model = model if model is not None else _first_model(known, address)
    chosen = model if model is not None else known.default_model
    if chosen is None:
        raise ModelError("models.no_model", provider=known.name)
    if strict and known.vendor == "azure" and not address:
        raise ModelError("models.no_address", provider=known.name)
    return Endpoint(
        provider=known.name,
        model=chosen,
        wire=known.wire,
        base_url=_address_for(known.wire, address),
        api_key=environ[variable] if variable else None,
        vendor=known.vendor,
        key_variables=known.keys,
    )


def _first_model(known: KnownProvider, address: str) -> str:
    server = probe(known.name, address, 2.0)
    if server is None:
        raise ModelError("models.no_server", provider=known.name, url=address)
    return server.models[0]


def _vendor(known: KnownProvider | None, entry: ProviderEntry) -> str | None:
    """A known provider behind another address may be a mere look-alike only where OpenAI's own features differ."""
    if known is None or (known.vendor == "openai" and entry.base_url):
        return None
    return known.vendor


def _address_for(wire: WireFormat, url: str | None) -> str | None:
    """Anthropic's client adds /v1 by itself."""
    if url is None:
        return None
    url = url.rstrip("/")
    return url.removesuffix("/v1") if wire == "anthropic" else url


def _prices(entry: PriceEntry | None) -> Prices | None:
    return Prices(entry.input, entry.output, entry.cache_read, entry.cache_write) if entry else None


def _idle(endpoint: Endpoint, entry: ProviderEntry | None, settings: Settings) -> float:
    if entry is not None and entry.timeout is not None:
        return entry.timeout
    served_here = any(endpoint.provider == known.name and is_local(known) for known in KNOWN_PROVIDERS)
    if served_here and "timeout" not in settings.models.model_fields_set:
        return LOCAL_IDLE_SECONDS
    return settings.models.timeout


def _unknown(provider: str, name: str, settings: Settings) -> ModelError:
    names = [*settings.providers, *known_names()]
    near = difflib.get_close_matches(provider.casefold(), names, n=1, cutoff=0.5)
    if near:
        return ModelError("models.unknown_provider_near", provider=provider, name=name, near=near[0])
    return ModelError("models.unknown_provider", provider=provider, name=name, names=", ".join(names))
