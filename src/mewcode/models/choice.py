"""Which model answers, and why: the first of several places that names one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mewcode.config.schema import Settings
from mewcode.errors import ModelError
from mewcode.messages import message
from mewcode.models.catalogue import KNOWN_PROVIDERS
from mewcode.models.endpoint import Endpoint
from mewcode.models.local_servers import LocalServer, find_local_servers
from mewcode.models.resolution import key_in_environment, resolve

MODEL_VARIABLE = "MEWCODE_MODEL"


@dataclass(frozen=True)
class ModelChoice:
    """The model that was chosen. `why` and `notes` are sentences for the user."""

    endpoint: Endpoint
    why: str
    fallback: Endpoint | None = None
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.endpoint.name

    @property
    def embedded(self) -> bool:
        return self.endpoint.wire == "local"

    @property
    def unasked(self) -> bool:
        """Nobody named it: the embedded model, because nothing else is there."""
        return self.embedded and self.why == message("models.why_embedded")


def choose_model(
    settings: Settings,
    environ: Mapping[str, str],
    *,
    override: str | None = None,
    embedded: Callable[[], str | None] = lambda: None,
    local_servers: Callable[[Mapping[str, str]], tuple[LocalServer, ...]] = find_local_servers,
) -> ModelChoice:
    """`override` (--model), MEWCODE_MODEL, `model:`, then a key in the environment, a server on this machine, and last
    the embedded model: `embedded()` names the one whose weights are there, or None.

    May spend 0.2 s on looking for local servers, and only when nothing else is there. Raises ModelError (exit code 5)
    when the named model cannot be used, or when there is none at all.
    """
    endpoint, why = (
        _named(settings, environ, override)
        or _by_key(settings, environ)
        or _by_server(settings, environ, local_servers)
        or _embedded(settings, embedded)
        or _nothing()
    )
    fallback, notes = _fallback(settings, environ, endpoint)
    return ModelChoice(endpoint, why, fallback, notes)


def _named(settings: Settings, environ: Mapping[str, str], override: str | None) -> tuple[Endpoint, str] | None:
    places = (
        (override, message("models.why_option")),
        (environ.get(MODEL_VARIABLE), message("models.why_variable", variable=MODEL_VARIABLE)),
        (settings.model, message("models.why_setting")),
    )
    name, why = next(((name, why) for name, why in places if name), (None, ""))
    return None if name is None else (resolve(name, settings, environ), why)


def _by_key(settings: Settings, environ: Mapping[str, str]) -> tuple[Endpoint, str] | None:
    for known in KNOWN_PROVIDERS:
        variable = key_in_environment(known, environ)
        if variable is not None and known.needs_key and (known.default_model or known.name in settings.providers):
            return resolve(known.name, settings, environ), message("models.why_key", variable=variable)
    for name, entry in settings.providers.items():
        if entry.api_key and entry.models and not entry.problem:
            return resolve(name, settings, environ), message("models.why_entry", provider=name)
    return None


def _by_server(
    settings: Settings,
    environ: Mapping[str, str],
    find: Callable[[Mapping[str, str]], tuple[LocalServer, ...]],
) -> tuple[Endpoint, str] | None:
    server = next(iter(find(environ)), None)
    if server is None:
        return None
    why = message("models.why_server", provider=server.provider, url=server.base_url)
    return resolve(f"{server.provider}:{server.models[0]}", settings, environ), why


def _embedded(settings: Settings, embedded: Callable[[], str | None]) -> tuple[Endpoint, str] | None:
    name = embedded() if settings.models.embedded else None
    return None if name is None else (Endpoint("local", name, "local"), message("models.why_embedded"))


def _nothing() -> tuple[Endpoint, str]:
    raise ModelError("models.nothing_there")


def _fallback(
    settings: Settings, environ: Mapping[str, str], chosen: Endpoint
) -> tuple[Endpoint | None, tuple[str, ...]]:
    """A fallback that cannot be used is noted, not fatal: it may never be needed."""
    if not settings.fallback_model or chosen.wire == "local":
        return None, ()
    try:
        fallback = resolve(settings.fallback_model, settings, environ)
    except ModelError as error:
        return None, (message("models.fallback_unusable", name=settings.fallback_model, detail=error),)
    return (None, ()) if fallback.name == chosen.name else (fallback, ())
