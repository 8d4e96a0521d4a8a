"""Keeps the log within its bounds while it is written: retention by age, rotation by size. Imports SQLAlchemy."""

import gzip
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, select

from mewcode.governance.audit.database import is_sqlite, plain_rows
from mewcode.governance.audit.retention import Cut, cut_row, find_cut, remove, standing_bases
from mewcode.governance.audit.rows import Row
from mewcode.governance.audit.schema import records

EVERY = 600.0
"""Seconds between two looks at age and size; while there is more to remove, the next look comes at once."""


@dataclass(frozen=True)
class Keeping:
    """`retention` is in seconds; older records go. `rotate_at` is in bytes of an SQLite file: beyond it the oldest
    records move to a compressed file beside it. None keeps everything.
    """

    retention: float | None = None
    rotate_at: int | None = None


class Housekeeping:
    """Used by the writer's thread between two groups. Everything removed is told in the chain first."""

    def __init__(self, engine: Engine, keeping: Keeping, append: Callable[[Row], object]) -> None:
        self._engine = engine
        self._keeping = keeping
        self._append = append
        self._next = time.monotonic() + 1.0

    def look(self) -> None:
        """Removes at most one step of records. Errors of the database are the caller's."""
        if time.monotonic() < self._next or self._keeping == Keeping():
            return
        self._next = time.monotonic() + (0.0 if self._step() else EVERY)

    def _step(self) -> bool:
        with self._engine.connect() as connection:
            aged = self._aged(connection)
            cut = aged or self._oversized(connection)
            if cut is None:
                return False
            row = cut_row(cut, standing_bases(connection))
            if aged is None:
                self._archive(connection, cut)
        self._append(row)
        with self._engine.begin() as connection:
            remove(connection, cut)
        return True

    def _aged(self, connection: Connection) -> Cut | None:
        if self._keeping.retention is None:
            return None
        return find_cut(connection, round((time.time() - self._keeping.retention) * 1_000_000))

    def _oversized(self, connection: Connection) -> Cut | None:
        if self._keeping.rotate_at is None or not is_sqlite(connection):
            return None
        if _used_bytes(connection) <= self._keeping.rotate_at:
            return None
        return find_cut(connection, 2**62)

    def _archive(self, connection: Connection, cut: Cut) -> None:
        """A line of JSON for each record, whole, so that the chain can be followed through the archives too."""
        file = Path(f"{self._engine.url.database}.archive-{cut.through:012d}.jsonl.gz")
        descriptor = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        gone = select(records).where(records.c.seq <= cut.through).order_by(records.c.seq)
        with os.fdopen(descriptor, "wb") as raw, gzip.open(raw, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in plain_rows(connection.execute(gone)))


def _used_bytes(connection: Connection) -> int:
    """Pages that hold something: SQLite keeps removed pages for later use."""
    pages, free, size = (
        connection.exec_driver_sql(f"PRAGMA {name}").scalar() or 0
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size
