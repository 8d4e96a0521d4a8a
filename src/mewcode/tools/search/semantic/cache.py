"""Vectors kept from one run to the next, by the hash of the text that they are of."""

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from mewcode.tools.search.semantic.encoder import NAME, Vectors

MOST = 20_000
"""Vectors that are kept: 20 MB on disk."""


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def read_vectors(folder: Path | None) -> dict[str, Vectors]:
    """By hash; empty when there are none, or when the file is of no use: it can always be made again."""
    if folder is None:
        return {}
    try:
        with np.load(_file(folder), allow_pickle=False) as stored:
            hashes, vectors = stored["hashes"], stored["vectors"].astype(np.float32)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}
    return {str(digest): vector for digest, vector in zip(hashes, vectors, strict=False)}


def write_vectors(folder: Path | None, vectors: Mapping[str, Vectors]) -> None:
    """Replaces the file in one step. Raises OSError."""
    if folder is None or not vectors:
        return
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    kept = list(vectors.items())[-MOST:]
    descriptor, name = tempfile.mkstemp(dir=folder, suffix=".npz")
    try:
        with os.fdopen(descriptor, "wb") as out:
            hashes = np.array([digest for digest, _ in kept])
            np.savez(out, hashes=hashes, vectors=np.array([vector for _, vector in kept], dtype=np.float16))
        Path(name).replace(_file(folder))
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _file(folder: Path) -> Path:
    return folder / f"tool-vectors-{NAME}.npz"
