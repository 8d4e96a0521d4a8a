"""Opens the audit's database: SQLite by default, PostgreSQL by URL. Importing this module imports SQLAlchemy."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, CursorResult, Engine, Executable, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from mewcode.errors import AuditError
from mewcode.governance.audit.schema import metadata
from mewcode.governance.audit.text_index import create_text_index

_SCHEMA_LOCK = 0x6D657763
"""Any number that no other program uses for a PostgreSQL advisory lock: "mewc" in ASCII."""

_PAGE = 5_000
_PAGES_AHEAD = 16_000
"""Pages (64 MB) in SQLite's write-ahead log at which a commit moves them into the database. A call writes about ten,
and moving 4,000 at a time made a third of all that a call costs."""


def place_of(url: str) -> str:
    """The address without its password, for people to read."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "(unreadable address)"


def reason_of(error: Exception) -> str:
    """What a database said, in one line, without the statement and its values."""
    return " ".join(str(getattr(error, "orig", None) or error).split())


def open_engine(url: str, *, fsync: bool = False, wait: float = 5.0, reading: bool = False) -> Engine:
    """An engine whose every connection waits at most `wait` seconds for a lock.

    With `fsync`, a commit is safe against power loss; without, against the death of every process of ours.
    Raises AuditError when the address makes no sense or its driver is missing.
    """
    try:
        address = make_url(url)
        if address.get_backend_name() == "sqlite":
            return _sqlite_reader(address, wait) if reading else _sqlite(address, fsync, wait)
        return _postgresql(address, fsync, wait)
    except (ArgumentError, NoSuchModuleError, OSError) as error:
        raise AuditError("audit.cannot_open", place=place_of(url), why=reason_of(error)) from error
    except ImportError as error:
        raise AuditError("audit.missing_driver", place=place_of(url)) from error


def reach(url: str, wait: float) -> None:
    """Raises AuditError when the database does not answer; an SQLite file need not be there."""
    try:
        address = make_url(url)
        if address.get_backend_name() == "sqlite" and not Path(address.database or "").exists():
            return
        engine = open_engine(url, wait=wait, reading=True)
        try:
            with engine.connect() as connection:
                inspect(connection).has_table(metadata.sorted_tables[0].name)
        finally:
            engine.dispose()
    except SQLAlchemyError as error:
        raise AuditError("audit.cannot_read", place=place_of(url), why=reason_of(error)) from error


def plain_rows(result: CursorResult[Any]) -> Iterator[dict[str, Any]]:
    """Rows by column name, as they come."""
    for row in result:
        yield dict(row._mapping)  # pyright: ignore[reportPrivateUsage] - SQLAlchemy names it so that no column hides it


def many_rows(connection: Connection, query: Executable) -> Iterator[Sequence[Any]]:
    """Rows of what reads all of a long log, page by page; of SQLite as the driver gives them, in half the time."""
    if not is_sqlite(connection):
        yield from connection.execution_options(yield_per=_PAGE).execute(query)
        return
    cursor: Any = connection.execute(query).cursor
    while rows := cursor.fetchmany(_PAGE):
        yield from rows


def is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def create_schema(engine: Engine, url: str) -> None:
    """Creates what is missing; several processes may do so at once. Raises AuditError."""
    try:
        with engine.begin() as connection:
            if not is_sqlite(connection):
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SCHEMA_LOCK})
            metadata.create_all(connection)
            create_text_index(connection)
    except SQLAlchemyError as error:
        raise AuditError("audit.cannot_open", place=place_of(url), why=reason_of(error)) from error


def _sqlite(address: URL, fsync: bool, wait: float) -> Engine:
    if address.database and address.database != ":memory:":
        _create_private(Path(address.database))
    engine = create_engine(address, poolclass=NullPool, connect_args={"timeout": wait})

    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        for pragma in (
            "journal_mode=WAL",
            f"synchronous={'FULL' if fsync else 'NORMAL'}",
            f"wal_autocheckpoint={_PAGES_AHEAD}",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    def begin(connection: Connection) -> None:
        # The lock is taken at the start: a transaction that reads first and then wants to write could fail half-way.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine


def _sqlite_reader(address: URL, wait: float) -> Engine:
    engine = create_engine(address, poolclass=NullPool, connect_args={"timeout": wait})

    def prepare(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA query_only=ON").close()

    event.listen(engine, "connect", prepare)
    return engine


def _create_private(path: Path) -> None:
    """Only its owner may read an audit log; SQLite gives the files beside it the same mode."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _postgresql(address: URL, fsync: bool, wait: float) -> Engine:
    if address.drivername in ("postgresql", "postgres"):
        address = address.set(drivername="postgresql+psycopg")
    milliseconds = int(wait * 1000)
    options = " ".join(
        f"-c {setting}"
        for setting in (
            f"synchronous_commit={'on' if fsync else 'off'}",
            f"lock_timeout={milliseconds}",
            f"statement_timeout={2 * milliseconds}",
        )
    )
    arguments = {"connect_timeout": max(1, int(wait)), "options": options}
    return create_engine(address, poolclass=NullPool, connect_args=arguments)
