"""The session's own folder for whole results, which the model may read and search."""

import os
import re
from pathlib import Path

_ODD = re.compile(r"[^A-Za-z0-9_-]")
MAX_SAVED_CHARACTERS = 50_000_000


class Outputs:
    """Writes one file a call, 0600, under `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, call_id: str, text: str) -> str | None:
        """The path of the file that now holds `text`; None when it could not be written (a full disk)."""
        path = self.folder / f"{_ODD.sub('_', call_id)[:80]}.txt"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
            with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8", errors="replace") as file:
                file.write(text[:MAX_SAVED_CHARACTERS])
        except OSError:
            return None
        return str(path)
