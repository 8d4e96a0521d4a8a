"""The sessions of a person: one file each, found again by id, newest first."""

import contextlib
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from mewcode.agent.journal import Journal, Record, read_records
from mewcode.agent.limits import Spent
from mewcode.agent.user_message import is_persons
from mewcode.errors import UsageError

FORMAT = 1
_SUFFIX = ".jsonl"
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,79}")
_TITLE_CHARACTERS = 80


@dataclass(frozen=True)
class SessionSummary:
    """A row of `mewcode sessions list`. `updated` is when the file was last written, in UTC."""

    id: str
    title: str
    workspace: str
    model: str
    created: str
    updated: str
    turns: int
    parent: str | None
    status: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class Session:
    """An open session: its file, locked by this process."""

    def __init__(self, session_id: str, path: Path, journal: Journal) -> None:
        self.id = session_id
        self.path = path
        self.journal = journal

    def turn_ended(self, status: str, spent: Spent) -> None:
        time = _now()
        self.journal.append({"type": "turn", "status": status, "time": time, "spent": asdict(spent)})
        self.journal.sync()

    def close(self) -> None:
        self.journal.close()


class SessionStore:
    """Keeps sessions under `folder` (0700), and removes what they saved under `outputs`."""

    def __init__(self, folder: Path, outputs: Path) -> None:
        self._folder = folder
        self._outputs = outputs

    def create(self, workspace: Path, model: str, *, parent: str | None = None) -> Session:
        session_id = _new_id()
        path = self._folder / f"{session_id}{_SUFFIX}"
        journal = Journal(path)
        header = {"type": "session", "format": FORMAT, "id": session_id, "created": _now()}
        journal.append({**header, "workspace": str(workspace), "model": model, "parent": parent})
        return Session(session_id, path, journal)

    def open(self, session_id: str) -> Session:
        """Raises UsageError for an id that is not there, written by a newer MewCode, or open elsewhere."""
        path = self._existing(session_id)
        header: Record = next(read_records(path), Record())
        if header.get("type") != "session" or header.get("format") != FORMAT:
            raise UsageError("sessions.unreadable", session=session_id, file=path)
        return Session(path.stem, path, Journal(path))

    def fork(self, session_id: str) -> Session:
        """A new session that begins with all that the other holds."""
        records = list(self.records(session_id))
        header = records[0] if records else {}
        fork = self.create(Path(str(header.get("workspace", ""))), str(header.get("model", "")), parent=session_id)
        for record in records[1:]:
            fork.journal.append(record)
        return fork

    def latest(self, workspace: Path) -> str | None:
        """The id of the session in `workspace` that was written last."""
        here = (summary.id for summary in self.list() if summary.workspace == str(workspace))
        return next(here, None)

    def list(self) -> Iterator[SessionSummary]:
        """All sessions, the one written last first. A file that is no session is passed over."""
        files = [(path.stat().st_mtime, path) for path in self._folder.glob(f"*{_SUFFIX}")]
        for modified, path in sorted(files, reverse=True):
            summary = _summary(path, modified)
            if summary is not None:
                yield summary

    def summary(self, session_id: str) -> SessionSummary:
        path = self._existing(session_id)
        summary = _summary(path, path.stat().st_mtime)
        if summary is None:
            raise UsageError("sessions.unreadable", session=session_id, file=path)
        return summary

    def records(self, session_id: str) -> Iterator[Record]:
        return read_records(self._existing(session_id))

    def delete(self, session_id: str) -> None:
        """Removes the session's file and its outputs. Raises UsageError when it is unknown or open."""
        path = self._existing(session_id)
        with Journal(path):
            path.unlink()
        shutil.rmtree(self.outputs_of(path.stem), ignore_errors=True)

    def remove_old(self, seconds: float) -> Iterator[str]:
        """Removes the sessions that nothing was written to for so long, and outputs that no session is left for.

        Gives the ids of the removed. What is open elsewhere or cannot be removed stays.
        """
        before = time.time() - seconds
        for path in self._folder.glob(f"*{_SUFFIX}"):
            with contextlib.suppress(UsageError, OSError):
                if path.stat().st_mtime < before:
                    self.delete(path.stem)
                    yield path.stem
        for path in self._outputs.glob("*"):
            with contextlib.suppress(OSError):
                if not (self._folder / f"{path.name}{_SUFFIX}").exists() and path.stat().st_mtime < before:
                    shutil.rmtree(path)

    def outputs_of(self, session_id: str) -> Path:
        return self._outputs / session_id

    def _existing(self, session_id: str) -> Path:
        """Also by the beginning of an id, where only one begins so."""
        if _ID.fullmatch(session_id) is None:
            raise UsageError("sessions.unknown", session=session_id[:80])
        exact = self._folder / f"{session_id}{_SUFFIX}"
        if exact.is_file():
            return exact
        fitting = sorted(self._folder.glob(f"{session_id}*{_SUFFIX}"))
        if not fitting:
            raise UsageError("sessions.unknown", session=session_id)
        if len(fitting) > 1:
            raise UsageError("sessions.ambiguous", session=session_id, fitting=", ".join(p.stem for p in fitting[:5]))
        return fitting[0]


def _summary(path: Path, modified: float) -> SessionSummary | None:
    header: Record = {}
    title, turns, status = "", 0, "new"
    for record in read_records(path):
        kind = record.get("type")
        if kind == "session":
            header = record
        elif kind == "turn":
            turns, status = turns + 1, str(record.get("status"))
        elif kind == "message":
            status = "interrupted"
            title = title or title_of(record.get("message", {}))
    if header.get("format") != FORMAT:
        return None
    return SessionSummary(
        id=path.stem,
        title=title,
        workspace=str(header.get("workspace", "")),
        model=str(header.get("model", "")),
        created=str(header.get("created", "")),
        updated=datetime.fromtimestamp(modified, timezone.utc).isoformat(timespec="seconds"),
        turns=turns,
        parent=header.get("parent"),
        status=status,
    )


def title_of(saved_message: Any) -> str:
    """The first line of the first words of the person in a saved message."""
    for part in saved_message.get("parts", []):
        content = part.get("content")
        is_words = part.get("part_kind") == "user-prompt" and isinstance(content, str)
        if is_words and is_persons(content):
            return " ".join(content.split())[:_TITLE_CHARACTERS]
    return ""


def _new_id() -> str:
    """Sorts by time; the random end keeps two sessions of one second apart."""
    return f"{datetime.now(timezone.utc):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
