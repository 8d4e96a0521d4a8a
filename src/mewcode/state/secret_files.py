"""One file a secret, readable for this user only."""

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from mewcode.errors import MewCodeError


class SecretStoreError(MewCodeError):
    """A secret could not be kept or read."""


class SecretFiles:
    """Each secret is a file of its own, replaced in one step: two processes never undo each other's writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, name: str) -> str | None:
        file = self._file(name)
        try:
            data: Any = json.loads(file.read_text(encoding="utf-8"))
            return str(data["value"])
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SecretStoreError("state.secrets_damaged", file=file, reason=error.strerror or "") from None
        except (ValueError, KeyError, TypeError):
            raise SecretStoreError("state.secrets_damaged", file=file, reason="JSON") from None

    def set(self, name: str, value: str) -> None:
        file = self._file(name)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=self.folder)  # mode 0600 from the start
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                json.dump({"name": name, "value": value}, stream)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).replace(file)
        except OSError as error:
            raise SecretStoreError(
                "state.secrets_unwritable", name=name, file=file, reason=error.strerror or ""
            ) from None

    def delete(self, name: str) -> bool:
        try:
            self._file(name).unlink()
        except FileNotFoundError:
            return False
        return True

    def _file(self, name: str) -> Path:
        """Names hold URLs; their hash makes a file name on every system."""
        return self.folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.json"
