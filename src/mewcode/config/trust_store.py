"""What the user has trusted, by hash: trust.json under MEWCODE_HOME, for this user only."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from mewcode.config.atomic_write import write_atomically
from mewcode.errors import SettingsError

TrustKind: TypeAlias = Literal["server", "rules"]


@dataclass(frozen=True)
class Grant:
    """A consent: what kind of thing, its fingerprint, how it was called, where, and when (seconds since the epoch)."""

    kind: str
    fingerprint: str
    name: str
    workspace: str
    granted_at: float


class TrustStore:
    """Reads the file each time it is asked, so that a grant from another process counts at once.

    A file that cannot be read or understood grants nothing; granting on top of it raises SettingsError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def is_trusted(self, kind: str, fingerprint: str) -> bool:
        return any(grant.kind == kind and grant.fingerprint == fingerprint for grant in self.grants())

    def grants(self) -> tuple[Grant, ...]:
        """All consents, oldest first."""
        try:
            return self._read()
        except SettingsError:
            return ()

    def grant(self, kind: TrustKind, fingerprint: str, *, name: str = "", workspace: Path | str = "") -> None:
        """Raises SettingsError when the file is damaged, OSError when it cannot be written."""
        kept = [one for one in self._read() if (one.kind, one.fingerprint) != (kind, fingerprint)]
        self._write([*kept, Grant(kind, fingerprint, name, str(workspace), time.time())])

    def revoke(self, kind: TrustKind, fingerprint: str) -> bool:
        """Whether there was such a consent."""
        grants = self._read()
        kept = [one for one in grants if (one.kind, one.fingerprint) != (kind, fingerprint)]
        if len(kept) < len(grants):
            self._write(kept)
        return len(kept) < len(grants)

    def _read(self) -> tuple[Grant, ...]:
        try:
            data: Any = json.loads(self.path.read_text(encoding="utf-8"))
            rows = cast("list[dict[str, Any]]", data["grants"])
            return tuple(
                Grant(
                    str(r["kind"]), str(r["fingerprint"]), str(r["name"]), str(r["workspace"]), float(r["granted_at"])
                )
                for r in rows
            )
        except FileNotFoundError:
            return ()
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise SettingsError("config.trust_damaged", file=self.path, reason=type(error).__name__) from None
        except OSError as error:
            raise SettingsError("config.unreadable", file=self.path, reason=error.strerror or "") from None

    def _write(self, grants: list[Grant]) -> None:
        text = json.dumps({"version": 1, "grants": [vars(grant) for grant in grants]}, indent=2, ensure_ascii=False)
        write_atomically(self.path, text + "\n", mode=0o600)
