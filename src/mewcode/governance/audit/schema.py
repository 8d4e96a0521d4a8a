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
    Column("last_seq", _Big, nullable=False),
    Column("witnessed", _Big, nullable=False),
    Column("open_calls", Text, nullable=False),
)
"""The head of each chain: the place up to which retention has removed it (`base`), its last record, the place up to
which another chain has seen it (`witnessed`), and the begin records that have no end yet (a JSON list of `seq`)."""

tools = Table(
    "audit_tools",
    metadata,
    Column("name", Text, primary_key=True),
    Column("server", Text, primary_key=True),
    Column("tool", Text, primary_key=True),
)
"""Every tool that occurs, by the name that callers use, so that a filter by name or pattern needs no reading."""

marks = Table("audit_marks", metadata, Column("name", Text, primary_key=True), Column("value", _Big, nullable=False))
"""How far the index of words has come."""


def _partial(name: str, present: str, *columns: str) -> Index:
    """An index of the rows for which the SQL condition `present` holds."""
    condition = text(present)
    return Index(name, *(records.c[column] for column in columns), sqlite_where=condition, postgresql_where=condition)


# Each index costs every call the writing of a page, so there are only these. Decisions are few and found by time.
_partial("audit_by_time", "kind <> 'end'", "time_us", "effect")
# What stands behind the time spares the reading of records that do not fit, and of ends when calls are counted.
_partial("audit_by_end", "begun IS NOT NULL", "begun", "outcome", "duration_us")
_partial("audit_by_principal", "principal IS NOT NULL", "principal", "time_us", "effect")
_partial("audit_by_session", "session IS NOT NULL", "session", "time_us")
_partial("audit_by_tool", "tool IS NOT NULL", "tool", "time_us", "effect")
_partial("audit_by_trouble", "outcome <> 'ok'", "outcome", "time_us")
