"""File contents by their hash, compressed, each kept once."""

import os
import secrets
import zlib
from collections.abc import Iterable
from pathlib import Path


class Contents:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, digest: str, data: bytes) -> None:
        """Keeps `data` under its SHA-256. Raises OSError."""
        path = self._path(digest)
        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = path.with_name(f"{secrets.token_hex(8)}.tmp")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(zlib.compress(data, 1))
        temporary.replace(path)

    def get(self, digest: str) -> bytes | None:
        """The content, or None when it is not there any more."""
        try:
            return zlib.decompress(self._path(digest).read_bytes())
        except (FileNotFoundError, zlib.error):
            return None

    def drop(self, digests: Iterable[str]) -> None:
        """Removes these contents."""
        for digest in digests:
            self._path(digest).unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest
