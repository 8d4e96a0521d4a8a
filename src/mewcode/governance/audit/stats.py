"""Counts, latencies and refusals of a part of the log. Importing this module imports SQLAlchemy."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import and_, func, select

from mewcode.governance.audit.query import AuditFilter, begun, conditions, ended
from mewcode.governance.audit.reader import AuditReader
from mewcode.governance.audit.view import iso_time

BUCKETS = 40
_BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class ToolStats:
    """Latencies are in milliseconds, over the calls that ended."""

    tool: str
    calls: int
    refused: int
    failed: int
    p50: float | None
    p95: float | None
    slowest: float | None


@dataclass(frozen=True)
class AuditStats:
    calls: int
    since: str | None
    until: str | None
    outcomes: dict[str, int]
    effects: dict[str, int]
    principals: dict[str, int]
    tools: tuple[ToolStats, ...]
    refusals: tuple[tuple[str, int], ...]
    """The rules (or reasons) that refused, most frequent first."""
    per_bucket: tuple[int, ...]
    """Calls over the time from first to last, in equal parts."""

    @property
    def sparkline(self) -> str:
        top = max(self.per_bucket, default=0)
        return "".join(_BARS[count * (len(_BARS) - 1) // top] for count in self.per_bucket) if top else ""


class _Call(NamedTuple):
    time_us: int
    principal: str | None
    server: str | None
    tool: str
    effect: str | None
    rule: str | None
    outcome: str | None
    duration_us: int | None


def stats(reader: AuditReader, wanted: AuditFilter | None = None) -> AuditStats:
    """Reads the columns it needs of all calls that fit (a filter's text is not looked at)."""
    asked = wanted or AuditFilter()
    columns = (
        begun.c.time_us,
        begun.c.principal,
        begun.c.server,
        begun.c.tool,
        begun.c.effect,
        begun.c.rule,
        func.coalesce(ended.c.outcome, begun.c.outcome).label("outcome"),
        func.coalesce(ended.c.duration_us, begun.c.duration_us).label("duration_us"),
    )
    with reader.connected() as connection:
        if connection is None:
            return _collect([])
        joined = begun.outerjoin(ended, ended.c.begun == begun.c.seq)
        query = select(*columns).select_from(joined).where(and_(*conditions(connection, asked)))
        return _collect([_Call(*row) for row in connection.execute(query)])


def _collect(rows: Sequence[_Call]) -> AuditStats:
    times = [row.time_us for row in rows]
    by_tool: dict[str, list[_Call]] = {}
    for row in rows:
        by_tool.setdefault(f"{row.server}/{row.tool}" if row.server else row.tool, []).append(row)
    refusing = Counter(row.rule or "(no rule)" for row in rows if row.outcome == "refused")
    return AuditStats(
        calls=len(rows),
        since=iso_time(min(times)) if times else None,
        until=iso_time(max(times)) if times else None,
        outcomes=_counted(row.outcome or "unknown" for row in rows),
        effects=_counted(row.effect or "none" for row in rows),
        principals=_counted(row.principal or "" for row in rows),
        tools=tuple(sorted((_of_tool(t, r) for t, r in by_tool.items()), key=lambda one: (-one.calls, one.tool))),
        refusals=tuple(refusing.most_common(10)),
        per_bucket=_buckets(times),
    )


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())


def _of_tool(tool: str, rows: list[_Call]) -> ToolStats:
    outcomes = Counter(row.outcome for row in rows)
    ran = sorted(row.duration_us for row in rows if row.duration_us is not None and row.outcome != "refused")
    refused = outcomes["refused"]
    failed = sum(outcomes[kind] for kind in ("tool_error", "timeout", "failed"))
    return ToolStats(tool, len(rows), refused, failed, _share(ran, 0.5), _share(ran, 0.95), _share(ran, 1.0))


def _share(durations: list[int], share: float) -> float | None:
    """The duration that this share of the calls did not exceed."""
    if not durations:
        return None
    return durations[min(len(durations) - 1, int(share * len(durations)))] / 1000


def _buckets(times: list[int]) -> tuple[int, ...]:
    if not times:
        return ()
    first, span = min(times), max(times) - min(times) + 1
    counts = [0] * BUCKETS
    for moment in times:
        counts[(moment - first) * BUCKETS // span] += 1
    return tuple(counts)
