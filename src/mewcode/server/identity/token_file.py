"""The file of static tokens: names, hashes, and who comes with them. For this user only, replaced in one step."""

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from mewcode.config.atomic_write import write_atomically
from mewcode.config.schema.serve import TokenEntry
from mewcode.errors import SettingsError, UsageError
from mewcode.server.identity.expiry import moment
from mewcode.server.identity.known import digest

PREFIX = "mew_"
"""Makes a token recognisable to scanners for leaked secrets."""


class TokenFile:
    def __init__(self, path: Path) -> None:
        self.path = path

    def entries(self) -> dict[str, TokenEntry]:
        """Raises SettingsError for a file that makes no sense: nobody comes in then."""
        try:
            found = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise SettingsError("serve.token_file", path=self.path, why=error) from error
        if not isinstance(found, dict):
            raise SettingsError("serve.token_file", path=self.path, why="it must hold an object")
        try:
            rows = cast("dict[str, Any]", found).items()
            return {name: TokenEntry.model_validate(entry) for name, entry in rows}
        except ValidationError as error:
            why = error.errors(include_input=False)[0]["msg"]
            raise SettingsError("serve.token_file", path=self.path, why=why) from None

    def add(self, name: str, *, principal: str | None, roles: tuple[str, ...], expires: str | None) -> str:
        """Makes a token and returns it: the only time that it is seen. Raises UsageError for a name in use."""
        entries = self.entries()
        if name in entries:
            raise UsageError("serve.token_exists", name=name)
        if expires is not None:
            moment(expires)
        token = PREFIX + secrets.token_urlsafe(32)
        entry = TokenEntry(sha256=digest(token), principal=principal, roles=list(roles), expires=expires)
        self._write({**entries, name: entry})
        return token

    def revoke(self, name: str) -> bool:
        """Whether there was such a token."""
        entries = self.entries()
        if entries.pop(name, None) is None:
            return False
        self._write(entries)
        return True

    def _write(self, entries: Mapping[str, TokenEntry]) -> None:
        rows = {name: entry.model_dump(exclude_none=True) for name, entry in entries.items()}
        write_atomically(self.path, json.dumps(rows, ensure_ascii=False, indent=1) + "\n", mode=0o600)
