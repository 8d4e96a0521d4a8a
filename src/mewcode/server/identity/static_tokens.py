"""Static tokens, looked up by their hash."""

import logging
import time
from collections.abc import Mapping
from typing import Protocol

from mewcode.config.schema.serve import TokenEntry
from mewcode.errors import MewCodeError
from mewcode.server.identity.expiry import moment
from mewcode.server.identity.known import Known, digest
from mewcode.server.identity.token_file import TokenFile

_log = logging.getLogger(__name__)


class TokenSource(Protocol):
    def entries(self) -> Mapping[str, TokenEntry]: ...


class FollowedFile:
    """The entries of a token file, read again when the file has changed: a revoked token is out at once."""

    def __init__(self, file: TokenFile) -> None:
        self._file = file
        self._seen: tuple[int, int, int] | None = None
        self._entries: Mapping[str, TokenEntry] = {}

    def entries(self) -> Mapping[str, TokenEntry]:
        state = self._state()
        if state != self._seen:
            self._entries = self._read()
            self._seen = state
        return self._entries

    def _state(self) -> tuple[int, int, int] | None:
        try:
            status = self._file.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def _read(self) -> Mapping[str, TokenEntry]:
        try:
            return self._file.entries()
        except MewCodeError as error:
            _log.error("%s", error)
            return {}


class FixedEntries:
    """The entries that stand in the settings themselves."""

    def __init__(self, entries: Mapping[str, TokenEntry]) -> None:
        self._entries = entries

    def entries(self) -> Mapping[str, TokenEntry]:
        return self._entries


class StaticTokens:
    def __init__(self, source: TokenSource) -> None:
        self._source = source

    def find(self, token: str) -> Known | None:
        """Whose token it is; None for one that is not there or has ended."""
        wanted = digest(token)
        for name, entry in self._source.entries().items():
            if entry.sha256 == wanted:
                return _known(name, entry)
        return None


def _known(name: str, entry: TokenEntry) -> Known | None:
    try:
        ends = moment(entry.expires) if entry.expires else None
    except MewCodeError as error:
        _log.error("token %s is not accepted: %s", name, error)
        return None
    if ends is not None and ends <= time.time():
        return None
    return Known(entry.principal or name, tuple(entry.roles), ends, key=f"token:{name}:{entry.sha256[:12]}")
