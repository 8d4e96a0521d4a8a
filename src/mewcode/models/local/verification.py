"""The SHA-256 of a weights file, worked out once for each state of the file on disk."""

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Told (bytes done, bytes in all) now and then."""

_BLOCK = 4 << 20


def no_progress(done: int, total: int) -> None:
    return


def has_hash(file: Path, sha256: str, progress: Progress = no_progress) -> bool:
    """Whether `file` has this hash. An earlier answer counts as long as size, time and inode are the same.

    Raises OSError when the file cannot be read.
    """
    if _remembered(file) == sha256:
        return True
    found = hash_of(file, progress)
    if found == sha256:
        remember(file, sha256)
    return found == sha256


def hash_of(file: Path, progress: Progress = no_progress) -> str:
    digest = hashlib.sha256()
    total, done = file.stat().st_size, 0
    with file.open("rb") as source:
        while block := source.read(_BLOCK):
            digest.update(block)
            done += len(block)
            progress(done, total)
    return digest.hexdigest()


def remember(file: Path, sha256: str) -> None:
    """Notes beside the file that it was checked in its present state. Not being able to is no failure."""
    with suppress(OSError):
        _note_of(file).write_text(json.dumps({"sha256": sha256, **_state(file)}))


def forget(file: Path) -> None:
    _note_of(file).unlink(missing_ok=True)


def _remembered(file: Path) -> str | None:
    try:
        note = json.loads(_note_of(file).read_text())
    except (OSError, ValueError):
        return None
    if not isinstance(note, dict) or {**note, "sha256": None} != {"sha256": None, **_state(file)}:
        return None
    return str(note["sha256"])  # pyright: ignore[reportUnknownArgumentType]


def _state(file: Path) -> dict[str, int]:
    stat = file.stat()
    return {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "inode": stat.st_ino}


def _note_of(file: Path) -> Path:
    return file.with_name(f".{file.name}.verified")
