"""The tables of the audit, the same for SQLite and PostgreSQL. Importing this module imports SQLAlchemy."""

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, Text, text

metadata = MetaData()

_Big = BigInteger().with_variant(Integer, "sqlite")

records = Table(
    "audit_records",
    metadata,
    Column("seq", _Big, primary_key=True, autoincrement=True),
    Column("chain", Text, nullable=False),
    Column("position", _Big, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("time_us", _Big, nullable=False),
    Column("begun", _Big),
    Column("principal", Text),
    Column("roles", Text),
    Column("door", Text),
    Column("session", Text),
    Column("server", Text),
    Column("tool", Text),
    Column("name", Text),
    Column("call_id", Text),
    Column("effect", Text),
    Column("rule", Text),
    Column("policy", Text),
    Column("outcome", Text),
    Column("duration_us", _Big),
    Column("body", Text, nullable=False),
    sqlite_autoincrement=True,
)
"""Only ever added to. An end record points with `begun` to the `seq` of its begin record, and repeats nothing of it."""

chains = Table(
    "audit_chains",
    metadata,
    Column("chain", Text, primary_key=True),
    Column("writer", Text, nullable=False),
    Column("base", _Big, nullable=False),
    Column("base_hash", Text, nullable=False),
    Column("position", _Big, nullable=False),
    Column("hash", Text, nullable=False),
    Column("witnessed", _Big, nullable=False),
)
"""The head of each chain, the place up to which retention has removed it, and up to which another chain has seen it."""

open_calls = Table("audit_open", metadata, Column("seq", _Big, primary_key=True, autoincrement=False))
"""Begin records without an end, so that they are found without reading the log."""


def _partial(name: str, *columns: str) -> Index:
    """An index of the rows that have a value in the first column."""
    present = text(f"{columns[0]} IS NOT NULL")
    chosen = [records.c[column] for column in columns]
    return Index(name, *chosen, sqlite_where=present, postgresql_where=present)


Index("audit_by_chain", records.c.chain, records.c.position, unique=True)
Index("audit_by_time", records.c.time_us)
_partial("audit_by_end", "begun")
_partial("audit_by_principal", "principal", "time_us")
_partial("audit_by_session", "session", "time_us")
_partial("audit_by_tool", "tool", "time_us")
_partial("audit_by_name", "name", "time_us")
_partial("audit_by_server", "server", "time_us")
_partial("audit_by_effect", "effect", "time_us")
_partial("audit_by_outcome", "outcome", "time_us")
