"""Appends rows to one hash chain of the database, a group to a transaction. Importing it imports SQLAlchemy."""

import json
import os
import platform
import time
import uuid
from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from mewcode import __version__
from mewcode.errors import AuditError
from mewcode.governance.audit.chain import GENESIS, Head
from mewcode.governance.audit.database import create_schema, is_sqlite, open_engine, place_of, reason_of
from mewcode.governance.audit.rows import Row, system_row
from mewcode.governance.audit.schema import chains, open_calls, records

CHECKPOINT_EVERY = 1_000
"""Records between two looks at the other chains' heads."""
CHECKPOINT_SECONDS = 60.0


class ChainAppender:
    """Owns a connection and a chain of its own; used by one thread. `append` is all or nothing."""

    def __init__(self, url: str, *, fsync: bool = False, wait: float = 5.0) -> None:
        self.place = place_of(url)
        self._engine = open_engine(url, fsync=fsync, wait=wait)
        create_schema(self._engine, url)
        self._connection: Connection | None = None
        self._head = Head(uuid.uuid4().hex)
        self._checked_at = 0
        self._checked_time = time.monotonic()
        self.append([system_row("open", _writer())])

    def append(self, rows: Sequence[Row]) -> list[int]:
        """Stores `rows` in this order and returns their sequence numbers. Raises AuditError; then none is stored."""
        try:
            return self._append(rows)
        except SQLAlchemyError as error:
            self._drop_connection()
            raise AuditError("audit.cannot_write", place=self.place, why=reason_of(error)) from error

    def close(self) -> None:
        """Says good-bye in the chain: nothing of it is missing after this record."""
        try:
            self.append([system_row("close", {})])
        finally:
            self._drop_connection()
            self._engine.dispose()

    def _append(self, rows: Sequence[Row]) -> list[int]:
        connection = self._connected()
        with connection.begin():
            head = self._head if self._head.position else self._enter_chain(connection)
            checkpoint = self._checkpoint(connection)
            group = [*rows, *checkpoint]
            numbers = _allocate(connection, len(group))
            for row, number in zip(group, numbers, strict=True):
                row["seq"], row["time_us"] = number, time.time_ns() // 1000
                head = head.link(row)
            connection.execute(insert(records), group)
            _track_open(connection, group)
            moved = {"position": head.position, "hash": head.hash}
            connection.execute(update(chains).where(chains.c.chain == head.chain), moved)
        self._head = head
        return numbers[: len(rows)]

    def _enter_chain(self, connection: Connection) -> Head:
        head = self._head
        connection.execute(
            insert(chains),
            {
                "chain": head.chain,
                "writer": json.dumps(_writer()),
                "base": 0,
                "base_hash": GENESIS,
                "position": 0,
                "hash": GENESIS,
                "witnessed": 0,
            },
        )
        return head

    def _checkpoint(self, connection: Connection) -> list[Row]:
        """From time to time, a record of how far the other chains have come since any chain last said so."""
        now = time.monotonic()
        due = (
            self._head.position - self._checked_at >= CHECKPOINT_EVERY or now - self._checked_time > CHECKPOINT_SECONDS
        )
        if self._head.position and not due:
            return []
        self._checked_at, self._checked_time = self._head.position, now
        others = chains.c.chain != self._head.chain
        query = select(chains.c.chain, chains.c.position, chains.c.hash).where(
            others, chains.c.witnessed < chains.c.position
        )
        heads = [[row.chain, row.position, row.hash] for row in connection.execute(query)]
        for chain, position, _ in heads:
            connection.execute(update(chains).where(chains.c.chain == chain), {"witnessed": position})
        return [system_row("checkpoint", {"heads": heads})] if heads else []

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.close()
        except SQLAlchemyError:
            connection.invalidate()


def _writer() -> dict[str, object]:
    return {"host": platform.node(), "pid": os.getpid(), "version": __version__}


def _allocate(connection: Connection, count: int) -> list[int]:
    """Sequence numbers for rows about to be inserted. SQLite's have no gaps: the transaction holds the only lock."""
    if is_sqlite(connection):
        last = connection.execute(text("SELECT seq FROM sqlite_sequence WHERE name = 'audit_records'")).scalar() or 0
        return list(range(last + 1, last + 1 + count))
    query = text(
        "SELECT nextval(pg_get_serial_sequence('audit_records', 'seq')) AS seq"
        " FROM generate_series(1, :count) ORDER BY 1"
    )
    return [row.seq for row in connection.execute(query, {"count": count})]


def _track_open(connection: Connection, group: Sequence[Row]) -> None:
    begun = [{"seq": row["seq"]} for row in group if row["kind"] == "begin"]
    ended = [row["begun"] for row in group if row["kind"] == "end"]
    if begun:
        connection.execute(insert(open_calls), begun)
    if ended:
        connection.execute(delete(open_calls).where(open_calls.c.seq.in_(ended)))
