"""Reads the audit: lists, single calls, and whatever else people ask of it. Synchronous; call it from a thread."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, ScalarSelect, func, inspect, or_, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from mewcode.errors import AuditError
from mewcode.governance.audit.database import open_engine, place_of, plain_rows, reason_of
from mewcode.governance.audit.finding import matching
from mewcode.governance.audit.query import AuditFilter, begun, calls
from mewcode.governance.audit.schema import records
from mewcode.governance.audit.view import Shown, shown

DEFAULT_LIMIT = 50


class AuditReader:
    """Never writes and never creates anything; a log that is not there yet is empty. All methods raise AuditError."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.place = place_of(url)

    def list(self, wanted: AuditFilter | None = None, limit: int = DEFAULT_LIMIT) -> list[Shown]:
        """Calls (and events, where wanted), the newest first."""
        asked = wanted or AuditFilter()
        with self.connected() as connection:
            if connection is None:
                return []
            found = _with_text(connection, asked, limit) if asked.text else _by_time(connection, asked, limit)
            return [shown(row) for row in found]

    def show(self, key: str) -> Shown | None:
        """One call by the `seq` of either of its records or by its call id, with its records as they are stored."""
        with self.connected() as connection:
            if connection is None:
                return None
            wanted = AuditFilter(events=True)
            which = begun.c.seq == _first_record(int(key)) if key.isdecimal() else begun.c.call_id == key
            query = calls(connection, wanted).where(which).order_by(begun.c.seq.desc()).limit(1)
            row = next(plain_rows(connection.execute(query)), None)
            if row is None:
                return None
            stored = select(records).where(or_(records.c.seq == row["seq"], records.c.begun == row["seq"]))
            raw = list(plain_rows(connection.execute(stored.order_by(records.c.seq))))
            return {**shown(row), "records": raw}

    def stream(self, wanted: AuditFilter | None = None) -> Iterator[Shown]:
        """All that fit, the oldest first, without holding them in memory."""
        asked = wanted or AuditFilter()
        with self.connected() as connection:
            if connection is None:
                return
            if asked.text:
                found = [row for page in matching(connection, asked) for row in page]
                yield from map(shown, sorted(found, key=lambda row: row["seq"]))
                return
            query = calls(connection, asked).order_by(begun.c.time_us, begun.c.seq)
            rows = connection.execution_options(yield_per=1_000).execute(query)
            yield from map(shown, plain_rows(rows))

    @contextmanager
    def connected(self) -> Generator[Connection | None]:
        """A connection that only reads, None when there is no log yet."""
        address = make_url(self._url)
        if address.get_backend_name() == "sqlite" and not Path(address.database or "").exists():
            yield None
            return
        engine = open_engine(self._url, reading=True)
        try:
            with engine.connect() as connection:
                yield connection if inspect(connection).has_table(records.name) else None
        except SQLAlchemyError as error:
            raise AuditError("audit.cannot_read", place=self.place, why=reason_of(error)) from error
        finally:
            engine.dispose()


def _first_record(seq: int) -> ScalarSelect[Any]:
    """Of an end record, the begin record that it belongs to."""
    return select(func.coalesce(records.c.begun, records.c.seq)).where(records.c.seq == seq).scalar_subquery()


def _by_time(connection: Connection, wanted: AuditFilter, limit: int) -> list[dict[str, Any]]:
    query = calls(connection, wanted).order_by(begun.c.time_us.desc(), begun.c.seq.desc()).limit(limit)
    return list(plain_rows(connection.execute(query)))


def _with_text(connection: Connection, wanted: AuditFilter, limit: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for page in matching(connection, wanted):
        found += page
        if len(found) >= limit:
            break
    return sorted(found, key=lambda row: row["seq"], reverse=True)[:limit]
