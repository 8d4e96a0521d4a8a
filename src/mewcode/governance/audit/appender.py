"""Appends rows to one hash chain of the database, a group to a transaction. Importing it imports SQLAlchemy."""

import json
import os
import platform
import time
import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import PoolProxiedConnection
from sqlalchemy.exc import SQLAlchemyError

from mewcode import __version__
from mewcode.errors import AuditError
from mewcode.governance.audit.chain import Head
from mewcode.governance.audit.database import create_schema, open_engine, place_of, reason_of
from mewcode.governance.audit.housekeeping import Housekeeping, Keeping
from mewcode.governance.audit.rows import Row, system_row
from mewcode.governance.audit.statements import Cursor
from mewcode.governance.audit.text_index import BATCH, BATCH_WHEN_BUSY, index_later, index_now
from mewcode.governance.audit.writing import Writing

CHECKPOINT_EVERY = 1_000
"""Records between two looks at the other chains' heads."""
CHECKPOINT_SECONDS = 60.0
UNMOVED = 500
"""Records in SQLite's write-ahead log from which it is moved into the database in a quiet moment. Where there is none,
SQLite does it by itself from a certain size on, while a caller waits."""


class ChainAppender:
    """Owns a connection and a chain of its own; used by one thread. `append` is all or nothing."""

    def __init__(self, url: str, *, fsync: bool = False, wait: float = 5.0, keeping: Keeping | None = None) -> None:
        self.place = place_of(url)
        self._engine = open_engine(url, fsync=fsync, wait=wait)
        self._writing = Writing(self._engine.dialect)
        self._errors: tuple[type[Exception], ...] = (SQLAlchemyError, self._engine.dialect.loaded_dbapi.Error)
        create_schema(self._engine, url)
        self._connection: PoolProxiedConnection | None = None
        self._head = Head(uuid.uuid4().hex)
        self._open: dict[int, None] = {}
        self._tools: set[tuple[str, str, str]] = set()
        self._checked = (0, time.monotonic())
        self._head_seq = self._indexed = self._moved = 0
        self._housekeeping = Housekeeping(self._engine, keeping or Keeping(), lambda row: self._append([row]))
        self.append([system_row("open", _writer())])

    def append(self, rows: Sequence[Row]) -> list[int]:
        """Stores `rows` in this order and returns their sequence numbers. Raises AuditError; then none is stored."""
        try:
            return self._append(rows)
        except self._errors as error:
            self._drop_connection()
            raise AuditError("audit.cannot_write", place=self.place, why=reason_of(error)) from error

    def tidy(self, quiet: bool = True) -> bool:
        """What may wait until the callers have their answers: the index of words, what is kept too long, and moving
        SQLite's write-ahead log into the database. True while there is more to do in a quiet moment.
        """
        try:
            if self._writing.is_sqlite and self._head_seq - self._indexed >= (BATCH if quiet else BATCH_WHEN_BUSY):
                self._index_words()
            elif self._writing.is_sqlite and quiet and self._head_seq - self._moved >= UNMOVED:
                self._move()
            self._housekeeping.look()
        except (*self._errors, OSError):
            # Nothing is lost by doing it later; the next commit tells its caller if the database is in trouble.
            self._drop_connection()
            return False
        return self._writing.is_sqlite and self._head_seq - self._indexed >= BATCH

    def close(self) -> None:
        """Says good-bye in the chain: nothing of it is missing after this record."""
        try:
            self.append([system_row("close", {})])
        finally:
            self._drop_connection()
            self._engine.dispose()

    def _index_words(self) -> None:
        cursor = self._begin()
        self._indexed = index_later(cursor, self._head_seq)
        self._commit()

    def _move(self) -> None:
        """Nobody waits for a lock meanwhile: readers and other writers go on. What a reader still needs stays."""
        if self._connection is not None:
            self._connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._moved = self._head_seq

    def _append(self, rows: Sequence[Row]) -> list[int]:
        cursor = self._begin()
        head, still_open = self._head, dict(self._open)
        group = [*rows, *self._checkpoint(cursor)]
        numbers = self._writing.allocate(cursor, len(group))
        for row, number in zip(group, numbers, strict=True):
            row["seq"], row["time_us"] = number, time.time_ns() // 1000
            head = head.link(row)
            _track(still_open, row)
        fresh_tools = self._fresh_tools(group)
        self._writing.insert_records.run_all(cursor, group)
        if fresh_tools:
            rows_of_tools = [{"name": name, "server": server, "tool": tool} for name, server, tool in fresh_tools]
            self._writing.insert_tools.run_all(cursor, rows_of_tools)
        if not self._writing.is_sqlite:
            index_now(cursor, group)
        self._write_head(cursor, head, numbers[-1], still_open)
        self._commit()
        self._head, self._open, self._head_seq = head, still_open, numbers[-1]
        self._tools.update(fresh_tools)
        return numbers[: len(rows)]

    def _write_head(self, cursor: Cursor, head: Head, last: int, still_open: dict[int, None]) -> None:
        values: dict[str, Any] = {
            "chain": head.chain,
            "position": head.position,
            "hash": head.hash,
            "last_seq": last,
            "open_calls": json.dumps(list(still_open)),
        }
        if self._head.position and self._writing.move_head.run(cursor, {**values, "key": head.chain}).rowcount:
            return
        # The chain is new, or retention removed all of it and forgot it: then it goes on from where it was.
        base = {"base": self._head.position, "base_hash": self._head.hash}
        fixed = {"writer": json.dumps(_writer()), **base, "witnessed": self._head.position}
        self._writing.insert_head.run(cursor, {**values, **fixed})

    def _checkpoint(self, cursor: Cursor) -> list[Row]:
        """From time to time, a record of how far the other chains have come since any chain last said so."""
        position, when = self._checked
        now = time.monotonic()
        if (
            self._head.position
            and self._head.position - position < CHECKPOINT_EVERY
            and now - when < CHECKPOINT_SECONDS
        ):
            return []
        self._checked = (self._head.position, now)
        heads = [list(row) for row in self._writing.unseen_heads.run(cursor, {"own": self._head.chain}).fetchall()]
        for chain, seen, _ in heads:
            self._writing.mark_seen.run(cursor, {"key": chain, "witnessed": seen})
        return [system_row("checkpoint", {"heads": heads})] if heads else []

    def _fresh_tools(self, group: Sequence[Row]) -> list[tuple[str, str, str]]:
        named = {(row["name"], row["server"] or "", row["tool"]) for row in group if row["tool"] is not None}
        return sorted(named - self._tools)

    def _begin(self) -> Cursor:
        if self._connection is None:
            self._connection = self._engine.raw_connection()
        cursor: Cursor = self._connection.cursor()  # pyright: ignore[reportAssignmentType] - DB-API by another name
        if self._writing.is_sqlite:
            cursor.execute("BEGIN IMMEDIATE")
        return cursor

    def _commit(self) -> None:
        if self._connection is not None:
            self._connection.commit()

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()


def _writer() -> dict[str, object]:
    return {"host": platform.node(), "pid": os.getpid(), "version": __version__}


def _track(still_open: dict[int, None], row: Row) -> None:
    if row["kind"] == "begin":
        still_open[row["seq"]] = None
    elif row["kind"] == "end":
        still_open.pop(row["begun"], None)
