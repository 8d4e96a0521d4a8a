"""Every statement that the writer runs, compiled for one database."""

from sqlalchemy import bindparam, func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.sql import ClauseElement

from mewcode.governance.audit.schema import chains, records, tools
from mewcode.governance.audit.statements import Cursor, Statement


class Writing:
    def __init__(self, dialect: Dialect) -> None:
        self.is_sqlite = dialect.name == "sqlite"
        self.insert_records = Statement(insert(records), dialect, records.c.keys())
        self.insert_head = Statement(insert(chains), dialect, chains.c.keys())
        upsert = sqlite.insert(tools) if self.is_sqlite else postgresql.insert(tools)
        self.insert_tools = Statement(upsert.on_conflict_do_nothing(), dialect, tools.c.keys())
        ours = chains.c.chain == bindparam("key")
        self.move_head = Statement(update(chains).where(ours), dialect, ("position", "hash", "last_seq", "open_calls"))
        self.mark_seen = Statement(update(chains).where(ours), dialect, ("witnessed",))
        unseen = select(chains.c.chain, chains.c.position, chains.c.hash).where(
            chains.c.chain != bindparam("own"), chains.c.witnessed < chains.c.position
        )
        self.unseen_heads = Statement(unseen, dialect)
        self._next = Statement(_next_numbers(self.is_sqlite), dialect)

    def allocate(self, cursor: Cursor, count: int) -> list[int]:
        """Sequence numbers for rows about to be inserted. SQLite's have no gaps: its writer holds the only lock."""
        if self.is_sqlite:
            last = self._next.run(cursor, {}).fetchone()[0] or 0
            return list(range(last + 1, last + 1 + count))
        return sorted(row[0] for row in self._next.run(cursor, {"count": count}).fetchall())


def _next_numbers(is_sqlite: bool) -> ClauseElement:
    if is_sqlite:
        return select(func.max(records.c.seq))
    sequence = "pg_get_serial_sequence('audit_records', 'seq')"
    return text(f"SELECT nextval({sequence}) FROM generate_series(1, CAST(:count AS integer))")  # noqa: S608 - all ours
