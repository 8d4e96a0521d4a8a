"""The index of words: FTS5 in SQLite, filled in batches after the commits; a tsvector in PostgreSQL, with them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, text

from mewcode.governance.audit.rows import Row
from mewcode.governance.audit.statements import Cursor
from mewcode.governance.audit.words import words_of

BATCH = 256
"""Records that SQLite's index may be behind; a search reads those."""
BATCH_WHEN_BUSY = 1_024
"""The same while callers come without a pause."""
STEP = 128
"""Records that are taken up at once, so that no caller waits long."""

_SEARCHED = "('begin', 'end', 'refused', 'event')"


def create_text_index(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.execute(text("CREATE VIRTUAL TABLE IF NOT EXISTS audit_text USING fts5(words, content='')"))
        connection.execute(text("INSERT OR IGNORE INTO audit_marks (name, value) VALUES ('text', 0)"))
        return
    connection.execute(text("CREATE TABLE IF NOT EXISTS audit_text (seq BIGINT PRIMARY KEY, words TEXT NOT NULL)"))
    vector = "to_tsvector('simple', words)"
    connection.execute(text(f"CREATE INDEX IF NOT EXISTS audit_text_words ON audit_text USING gin ({vector})"))


def index_now(cursor: Cursor, rows: Sequence[Row]) -> None:
    """PostgreSQL: in the transaction that stores the rows."""
    fresh = [(row["seq"], " ".join(words_of(row))) for row in rows if row["kind"] in _SEARCHED]
    cursor.executemany("INSERT INTO audit_text (seq, words) VALUES (%s, %s)", fresh)


def index_later(cursor: Cursor, upto: int) -> int:
    """SQLite: takes up the next records up to `upto` that no process has taken up yet, and gives how far the index is.
    Runs in a transaction."""
    mark = int(cursor.execute("SELECT value FROM audit_marks WHERE name = 'text'").fetchone()[0])
    last = min(upto, mark + STEP)
    if last <= mark:
        return mark
    columns = "seq, principal, session, server, tool, name, call_id, effect, rule, outcome, body"
    cursor.execute(
        f"SELECT {columns} FROM audit_records WHERE seq > ? AND seq <= ? AND kind IN {_SEARCHED}",  # noqa: S608
        (mark, last),
    )
    names = columns.split(", ")
    rows: list[dict[str, Any]] = [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]
    fresh = [(row["seq"], " ".join(words_of(row))) for row in rows]
    cursor.executemany("INSERT INTO audit_text (rowid, words) VALUES (?, ?)", fresh)
    cursor.execute("UPDATE audit_marks SET value = ? WHERE name = 'text'", (last,))
    return last
