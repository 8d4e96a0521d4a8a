"""What somebody wants to see of the audit, as SQL. Importing this module imports SQLAlchemy."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select
from sqlalchemy.sql import literal_column

from mewcode.governance.audit.port import Outcome
from mewcode.governance.audit.schema import chains, records, tools

begun = records.alias("begun")
ended = records.alias("ended")

with_ends = begun.outerjoin(ended, ended.c.begun == begun.c.seq)
_CALLS = ("begin", "refused")


@dataclass(frozen=True)
class AuditFilter:
    """Everything that is set must hold. Times are seconds since the epoch; `tool` and `server` may have `*` and `?`;
    `text` are words, all of which occur in a record. `events` takes in what is not a call.
    """

    principal: str | None = None
    tool: str | None = None
    server: str | None = None
    effect: str | None = None
    outcome: str | None = None
    session: str | None = None
    since: float | None = None
    until: float | None = None
    text: str | None = None
    events: bool = False


def calls(connection: Connection, wanted: AuditFilter) -> Select[Any]:
    """A row for each call (and event): its first record, and of its end what the first one lacks. Not yet ordered."""
    columns = [
        *begun.c,
        ended.c.outcome.label("ended_outcome"),
        ended.c.duration_us.label("ended_duration"),
        ended.c.time_us.label("ended_time"),
        ended.c.body.label("ended_body"),
    ]
    return select(*columns).select_from(with_ends).where(and_(*conditions(connection, wanted)))


def conditions(connection: Connection, wanted: AuditFilter) -> list[ColumnElement[bool]]:
    """All of a filter but its text, over `begun` and `ended`."""
    kinds = (*_CALLS, "event") if wanted.events else _CALLS
    found = [begun.c.kind.in_(kinds), *conditions_of_time(wanted)]
    if wanted.principal is not None:
        found.append(begun.c.principal == wanted.principal)
    if wanted.session is not None:
        found.append(begun.c.session == wanted.session)
    if wanted.effect is not None:
        found.append(begun.c.effect == wanted.effect)
    if wanted.tool is not None or wanted.server is not None:
        found.append(_tool_condition(connection, wanted.tool or "*", wanted.server))
    if wanted.outcome is not None:
        found.append(_outcome_condition(connection, wanted.outcome))
    return found


def conditions_of_time(wanted: AuditFilter) -> list[ColumnElement[bool]]:
    """First records of that time: what the index by time answers alone."""
    found: list[ColumnElement[bool]] = [begun.c.kind != literal_column("'end'")]
    if wanted.since is not None:
        found.append(begun.c.time_us >= round(wanted.since * 1_000_000))
    if wanted.until is not None:
        found.append(begun.c.time_us < round(wanted.until * 1_000_000))
    return found


def open_calls(connection: Connection) -> list[int]:
    """Begin records without an end."""
    import json

    rows = connection.execute(select(chains.c.open_calls).where(chains.c.open_calls != "[]"))
    return [seq for row in rows for seq in json.loads(row.open_calls)]


def _tool_condition(connection: Connection, pattern: str, server: str | None) -> ColumnElement[bool]:
    """The few tools that there are, compared by the name that callers use and by the tool's own."""
    known = connection.execute(select(tools.c.name, tools.c.server, tools.c.tool)).all()
    fitting = {
        (row.server, row.tool)
        for row in known
        if (fnmatchcase(row.name, pattern) or fnmatchcase(row.tool, pattern))
        and (server is None or fnmatchcase(row.server, server))
    }
    by_server: dict[str, list[str]] = {}
    for home, tool in sorted(fitting):
        by_server.setdefault(home, []).append(tool)
    return or_(
        literal_column("0 = 1"),
        *(
            and_(begun.c.tool.in_(names), func.coalesce(begun.c.server, "") == home)
            for home, names in by_server.items()
        ),
    )


def _outcome_condition(connection: Connection, outcome: str) -> ColumnElement[bool]:
    if outcome == Outcome.OK.value:
        return or_(ended.c.outcome == outcome, begun.c.outcome == outcome)
    said = select(func.coalesce(records.c.begun, records.c.seq)).where(
        records.c.outcome != literal_column("'ok'"), records.c.outcome == outcome
    )
    if outcome == Outcome.UNKNOWN.value and (still_open := open_calls(connection)):
        # One list of numbers, so that databases begin with it; with an `or` they would look at every call.
        return begun.c.seq.in_(said.union_all(select(records.c.seq).where(records.c.seq.in_(still_open))))
    return begun.c.seq.in_(said)
