"""What files held before tools changed them, so that a session can be taken back. Apart from the user's git history.

Contents are kept once, by their hash; a journal for each session says which file was changed when, in order.
"""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from mewcode.workspace.contents import Contents
from mewcode.workspace.files_read import digest_of
from mewcode.workspace.plain_names import plain_name


@dataclass(frozen=True)
class Change:
    """A file that a tool wrote. `step` is the call's id, hashes are SHA-256 in hex, `before` None for a new file.

    `after` is None when the program died between keeping the old content and writing the new.
    """

    step: str
    path: str
    before: str | None
    mode: int | None
    time: float
    after: str | None = None


class Checkpoints:
    """`folder` is the user's own; it is made when first needed. Methods do file work: call them in a thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.contents = Contents(folder / "contents")

    def before_write(self, session: str, step: str, path: Path, data: bytes | None, mode: int | None) -> None:
        """Keeps `data`, what the file holds now (None: there is no file). Raises OSError."""
        before = None if data is None else digest_of(data)
        if data is not None and before is not None:
            self.contents.put(before, data)
        self._append(session, asdict(Change(step, str(path), before, mode, time.time())))

    def after_write(self, session: str, step: str, path: Path, digest: str) -> None:
        """Notes what the file holds now that it is written."""
        self._append(session, {"step": step, "path": str(path), "written": digest})

    def changes(self, session: str, since: int = 0) -> tuple[Change, ...]:
        """The session's changes in order, from a position on."""
        changes: list[Change] = []
        for entry in self._entries(self._journal(session)):
            if "written" not in entry:
                changes.append(Change(**entry))
                continue
            for index in range(len(changes) - 1, -1, -1):
                if (changes[index].step, changes[index].path) == (entry["step"], entry["path"]):
                    changes[index] = replace(changes[index], after=entry["written"])
                    break
        return tuple(changes[since:])

    def position(self, session: str) -> int:
        """How many changes there are: remember it before a turn, to go back to that moment later."""
        return len(self.changes(session))

    def forget(self, session: str) -> None:
        """Drops the journal, and the contents that no other session needs."""
        gone = self._needed(self._journal(session))
        self._journal(session).unlink(missing_ok=True)
        for journal in self._journal(session).parent.glob("*.jsonl"):
            gone -= self._needed(journal)
        self.contents.drop(gone)

    def _needed(self, journal: Path) -> set[str]:
        return {entry["before"] for entry in self._entries(journal) if entry.get("before")}

    def _journal(self, session: str) -> Path:
        return self._folder / "sessions" / f"{plain_name(session)}.jsonl"

    def _append(self, session: str, entry: dict[str, object]) -> None:
        journal = self._journal(session)
        journal.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with journal.open("a", encoding="utf-8") as file:
            # The line end comes first: after a line that was cut off, the next one is still whole.
            file.write("\n" + json.dumps(entry))

    def _entries(self, journal: Path) -> Iterator[dict[str, Any]]:
        try:
            lines = journal.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            with suppress(ValueError):  # a line that was cut off when the program was killed
                yield json.loads(line)
