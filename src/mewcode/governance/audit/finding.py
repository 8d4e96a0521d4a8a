"""Text search: which records hold the words, the newest first, a page at a time."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, TextClause, func, select, text

from mewcode.governance.audit.database import is_sqlite, plain_rows
from mewcode.governance.audit.schema import marks, records
from mewcode.governance.audit.words import holds, phrases_of, words_of

PAGE = 2_000


def matching(connection: Connection, wanted: str) -> Iterator[Sequence[int]]:
    """Pages of the `seq` of first records of calls and events that hold all words of `wanted`."""
    phrases = phrases_of(wanted)
    if not phrases:
        return
    if not is_sqlite(connection):
        yield from _paged(connection, _POSTGRESQL, _tsquery(phrases))
        return
    yield _not_indexed(connection, phrases)
    yield from _paged(connection, _SQLITE, _fts_query(phrases))


_SQLITE = text(
    "SELECT t.rowid AS seq, r.begun FROM audit_text AS t JOIN audit_records AS r ON r.seq = t.rowid"
    " WHERE audit_text MATCH :query AND t.rowid < :before ORDER BY t.rowid DESC LIMIT :page"
)
_POSTGRESQL = text(
    "SELECT t.seq, r.begun FROM audit_text AS t JOIN audit_records AS r ON r.seq = t.seq"
    " WHERE to_tsvector('simple', t.words) @@ to_tsquery('simple', :query) AND t.seq < :before"
    " ORDER BY t.seq DESC LIMIT :page"
)


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
    return [row["begun"] or row["seq"] for row in plain_rows(fresh) if holds(words_of(row), phrases)]


def _fts_query(phrases: list[list[str]]) -> str:
    """FTS5: each phrase in quotation marks (words hold none), its last word as a beginning."""
    return " AND ".join(f'"{" ".join(phrase)}" *' for phrase in phrases)


def _tsquery(phrases: list[list[str]]) -> str:
    return " & ".join("(" + " <-> ".join([*map(_quoted, p[:-1]), f"{_quoted(p[-1])}:*"]) + ")" for p in phrases)


def _quoted(word: str) -> str:
    return f"'{word}'"
