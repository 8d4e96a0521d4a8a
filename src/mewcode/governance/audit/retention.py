"""Removes what is older than it has to be kept, from the front, and leaves a record of how far. Imports SQLAlchemy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select, text, update

from mewcode.governance.audit.chain import GENESIS
from mewcode.governance.audit.database import is_sqlite, plain_rows
from mewcode.governance.audit.rows import Row, system_row
from mewcode.governance.audit.schema import chains, records

STEP = 5_000
"""Records that are removed at once at most, so that no writer waits long."""


@dataclass(frozen=True)
class Cut:
    """All records up to `through` may go; `bases` are the last of them in each chain that loses any."""

    through: int
    bases: tuple[tuple[str, int, str], ...]


def find_cut(connection: Connection, before_us: int) -> Cut | None:
    """The longest run of records at the front that are all older than `before_us`, at most STEP of them.

    The newest record of all stays.
    """
    first = connection.execute(select(func.min(records.c.seq))).scalar()
    newest = connection.execute(select(func.max(records.c.seq))).scalar()
    if first is None or newest is None:
        return None
    window = records.c.seq < min(first + STEP, newest)
    kept = select(func.min(records.c.seq)).where(window, records.c.time_us >= before_us)
    end = connection.execute(kept).scalar() or min(first + STEP, newest)
    if end <= first:
        return None
    last = select(func.max(records.c.seq)).where(records.c.seq < end).group_by(records.c.chain)
    rows = connection.execute(
        select(records.c.chain, records.c.position, records.c.hash).where(records.c.seq.in_(last))
    )
    return Cut(end - 1, tuple((row.chain, row.position, row.hash) for row in rows))


def standing_bases(connection: Connection) -> list[tuple[str, int, str]]:
    """Chains that earlier cuts shortened: each new record of a cut says it again, since the old one goes some day."""
    query = select(chains.c.chain, chains.c.base, chains.c.base_hash).where(chains.c.base_hash != GENESIS)
    return [(row.chain, row.base, row.base_hash) for row in connection.execute(query)]


def cut_row(cut: Cut, standing: Sequence[tuple[str, int, str]]) -> Row:
    """The record that explains what is missing."""
    bases: dict[str, tuple[str, int, str]] = {base[0]: base for base in (*standing, *cut.bases)}
    return system_row("pruned", {"through": cut.through, "bases": [list(base) for base in bases.values()]})


def remove(connection: Connection, cut: Cut) -> None:
    """Takes the records away and forgets chains of which nothing is left and nobody writes."""
    _forget_words(connection, cut.through)
    connection.execute(delete(records).where(records.c.seq <= cut.through))
    for chain, position, digest in cut.bases:
        moved = update(chains).where(chains.c.chain == chain).values(base=position, base_hash=digest)
        connection.execute(moved)
        done = chains.c.position == chains.c.base
        connection.execute(delete(chains).where(chains.c.chain == chain, done, chains.c.open_calls == "[]"))


def _forget_words(connection: Connection, through: int) -> None:
    if not is_sqlite(connection):
        connection.execute(text("DELETE FROM audit_text WHERE seq <= :through"), {"through": through})
        return
    from mewcode.governance.audit.words import words_of

    mark = connection.execute(text("SELECT value FROM audit_marks WHERE name = 'text'")).scalar() or 0
    gone = select(records).where(
        records.c.seq <= min(through, mark), records.c.kind.in_(("begin", "end", "refused", "event"))
    )
    old: list[dict[str, Any]] = [
        {"seq": row["seq"], "words": " ".join(words_of(row))} for row in plain_rows(connection.execute(gone))
    ]
    if old:
        forget = "INSERT INTO audit_text (audit_text, rowid, words) VALUES ('delete', :seq, :words)"
        connection.execute(text(forget), old)
