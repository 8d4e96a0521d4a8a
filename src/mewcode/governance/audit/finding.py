"""Text search: which calls hold the words, the newest first."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import Connection, TextClause, func, or_, select, text

from mewcode.governance.audit.database import is_sqlite, plain_rows
from mewcode.governance.audit.query import AuditFilter, begun, calls, conditions, conditions_of_time, ended, with_ends
from mewcode.governance.audit.schema import marks, records
from mewcode.governance.audit.words import holds, phrases_of, words_of

PAGE = 2_000
FEW = 500
"""Calls that everything but the text leaves over, and that are read rather than looked for in the index of words."""
_CHUNK = 500
"""Numbers in one condition; databases bound their count."""


def matching(connection: Connection, wanted: AuditFilter) -> Iterator[list[dict[str, Any]]]:
    """Pages of the query of calls, of those that fit the filter and of which one record holds all words of its text."""
    phrases = phrases_of(wanted.text or "")
    if not phrases:
        return
    few = _few(connection, wanted)
    pages = [_read(connection, few, phrases)] if few is not None else _looked_up(connection, wanted, phrases)
    met: set[int] = set()
    for page in pages:
        numbers = [seq for seq in dict.fromkeys(page) if seq not in met]
        met.update(numbers)
        for start in range(0, len(numbers), _CHUNK):
            query = calls(connection, wanted).where(begun.c.seq.in_(numbers[start : start + _CHUNK]))
            yield list(plain_rows(connection.execute(query)))


_SQLITE = text(
    "SELECT t.rowid AS seq, r.begun FROM audit_text AS t JOIN audit_records AS r ON r.seq = t.rowid"
    " WHERE audit_text MATCH :query AND t.rowid BETWEEN :first AND :last ORDER BY t.rowid DESC"
)
_POSTGRESQL = text(
    "SELECT t.seq, r.begun FROM audit_text AS t JOIN audit_records AS r ON r.seq = t.seq"
    " WHERE to_tsvector('simple', t.words) @@ to_tsquery('simple', :query) AND t.seq < :before"
    " ORDER BY t.seq DESC LIMIT :page"
)


def _few(connection: Connection, wanted: AuditFilter) -> list[int] | None:
    """The calls that fit the filter without its text, None where there are many."""
    if wanted == AuditFilter(text=wanted.text, events=wanted.events):
        return None
    query = select(begun.c.seq).select_from(with_ends).where(*conditions(connection, wanted)).limit(FEW + 1)
    found = list(connection.execute(query).scalars())
    return found if len(found) <= FEW else None


def _read(connection: Connection, numbers: list[int], phrases: list[list[str]]) -> list[int]:
    """Those of which one record holds the words."""
    found: list[int] = []
    for start in range(0, len(numbers), _CHUNK):
        some = numbers[start : start + _CHUNK]
        query = select(records).where(or_(records.c.seq.in_(some), records.c.begun.in_(some)))
        rows = plain_rows(connection.execute(query))
        found += [row["begun"] or row["seq"] for row in rows if holds(row, phrases)]
    return found


def _looked_up(connection: Connection, wanted: AuditFilter, phrases: list[list[str]]) -> Iterator[Sequence[int]]:
    if not is_sqlite(connection):
        return _paged(connection, _POSTGRESQL, _tsquery(phrases))
    query = f"{_fts_query(phrases)}{_fts_filter(wanted)}"
    return chain([_not_indexed(connection, phrases)], _streamed(connection, query, _span(connection, wanted)))


def _streamed(connection: Connection, query: str, span: tuple[int, int]) -> Iterator[Sequence[int]]:
    """SQLite gives row after row: what a beginning of a word means is worked out once, not for every page."""
    values = {"query": query, "first": span[0], "last": span[1]}
    for rows in connection.execute(_SQLITE, values).partitions(_CHUNK):
        yield [row.begun or row.seq for row in rows]


def _span(connection: Connection, wanted: AuditFilter) -> tuple[int, int]:
    """The first and the last number of the records of calls of that time."""
    if wanted.since is None and wanted.until is None:
        return 0, 2**62
    numbers = select(func.min(begun.c.seq), func.max(begun.c.seq))
    first, last = connection.execute(numbers.where(*conditions_of_time(wanted))).one()
    if first is None:
        return 0, 0
    if wanted.until is None:
        return first, 2**62
    last_end = connection.execute(select(func.max(ended.c.seq)).where(ended.c.begun.between(first, last))).scalar()
    return first, max(last, last_end or 0)


def _paged(connection: Connection, query: TextClause, words: str) -> Iterator[Sequence[int]]:
    before = 2**62
    while True:
        rows = connection.execute(query, {"query": words, "before": before, "page": PAGE}).all()
        if not rows:
            return
        yield [row.begun or row.seq for row in rows]
        before = rows[-1].seq


def _not_indexed(connection: Connection, phrases: list[list[str]]) -> Sequence[int]:
    """The newest records, which the index of words does not have yet, are read."""
    mark = connection.execute(select(func.max(marks.c.value)).where(marks.c.name == "text")).scalar() or 0
    fresh = connection.execute(select(records).where(records.c.seq > mark).order_by(records.c.seq.desc()))
    return [row["begun"] or row["seq"] for row in plain_rows(fresh) if holds(row, phrases)]


def _fts_query(phrases: list[list[str]]) -> str:
    """FTS5: each phrase in quotation marks (words hold none), its last word as a beginning."""
    return " AND ".join(f'"{" ".join(phrase)}" *' for phrase in phrases)


def _fts_filter(wanted: AuditFilter) -> str:
    """Who, in which session, and so on are words of a first record too, which spares the reading of most that do not
    fit. An end record has none of them; what every end record has is the size of the result."""
    exact = [value for value in (wanted.tool, wanted.server) if value and not set(value) & set("*?[")]
    named = [wanted.principal, wanted.session, wanted.effect, *exact]
    phrases = [" ".join(words) for value in named if value and (words := words_of({"body": value}))]
    return f' AND (({" AND ".join(f"{chr(34)}{phrase}{chr(34)}" for phrase in phrases)}) OR "size")' if phrases else ""


def _tsquery(phrases: list[list[str]]) -> str:
    return " & ".join("(" + " <-> ".join([*map(_quoted, p[:-1]), f"{_quoted(p[-1])}:*"]) + ")" for p in phrases)


def _quoted(word: str) -> str:
    return f"'{word}'"
