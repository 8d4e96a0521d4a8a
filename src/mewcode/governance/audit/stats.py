"""Counts, latencies and refusals of a part of the log. Importing this module imports SQLAlchemy."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, FromClause, func, select

from mewcode.governance.audit.database import many_rows
from mewcode.governance.audit.query import AuditFilter, begun, conditions, ended, with_ends
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


class _Kind(NamedTuple):
    """What calls are counted by."""

    principal: str | None
    server: str | None
    tool: str
    effect: str | None
    rule: str | None
    outcome: str | None


@dataclass
class _Counts:
    kinds: Counter[_Kind] = field(default_factory=Counter[_Kind])
    buckets: list[int] = field(default_factory=lambda: [0] * BUCKETS)
    durations: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """Of each tool's calls that ran, in microseconds."""


def stats(reader: AuditReader, wanted: AuditFilter | None = None) -> AuditStats:
    """Counts all calls that fit (a filter's text is not looked at)."""
    asked = wanted or AuditFilter()
    with reader.connected() as connection:
        if connection is None:
            return _summary(_Counts(), None, None)
        first, last = _between(connection, asked)
        if first is None or last is None:
            return _summary(_Counts(), None, None)
        return _summary(_counted(connection, asked, first, last), first, last)


def _between(connection: Connection, asked: AuditFilter) -> tuple[int | None, int | None]:
    """When the first and the last of the calls began."""
    query = select(func.min(begun.c.time_us), func.max(begun.c.time_us)).select_from(_source(asked))
    first, last = connection.execute(query.where(*conditions(connection, asked))).one()
    return first, last


def _counted(connection: Connection, asked: AuditFilter, first: int, last: int) -> _Counts:
    columns = (
        (begun.c.time_us - first) * BUCKETS // (last - first + 1),
        func.coalesce(ended.c.duration_us, begun.c.duration_us),
        begun.c.principal,
        begun.c.server,
        begun.c.tool,
        begun.c.effect,
        begun.c.rule,
        func.coalesce(ended.c.outcome, begun.c.outcome),
    )
    query = select(*columns).select_from(with_ends).where(*conditions(connection, asked))
    counts = _Counts()
    kinds: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for bucket, duration, *kind in many_rows(connection, query):
        counts.buckets[bucket] += 1
        kinds[tuple(kind)].append(-1 if duration is None else duration)
    for values, durations in kinds.items():
        kind = _Kind._make(values)
        counts.kinds[kind] = len(durations)
        if kind.outcome != "refused":
            ran = (duration for duration in durations if duration >= 0)
            counts.durations.setdefault(_named(kind.server, kind.tool), []).extend(ran)
    return counts


def _source(asked: AuditFilter) -> FromClause:
    """Only the outcome is known by the end alone."""
    return begun if asked.outcome is None else with_ends


def _summary(counts: _Counts, first: int | None, last: int | None) -> AuditStats:
    by_tool: dict[str, Counter[str | None]] = {}
    for kind, count in counts.kinds.items():
        by_tool.setdefault(_named(kind.server, kind.tool), Counter())[kind.outcome] += count
    tools = [_of_tool(tool, outcomes, sorted(counts.durations.get(tool, ()))) for tool, outcomes in by_tool.items()]
    refused = Counter[str]()
    for kind, count in counts.kinds.items():
        if kind.outcome == "refused":
            refused[kind.rule or "(no rule)"] += count
    return AuditStats(
        calls=counts.kinds.total(),
        since=None if first is None else iso_time(first),
        until=None if last is None else iso_time(last),
        outcomes=_sums(counts, lambda kind: kind.outcome or "unknown"),
        effects=_sums(counts, lambda kind: kind.effect or "none"),
        principals=_sums(counts, lambda kind: kind.principal or ""),
        tools=tuple(sorted(tools, key=lambda one: (-one.calls, one.tool))),
        refusals=tuple(refused.most_common(10)),
        per_bucket=tuple(counts.buckets) if first is not None else (),
    )


def _named(server: str | None, tool: str) -> str:
    return f"{server}/{tool}" if server else tool


def _sums(counts: _Counts, by: Callable[[_Kind], str]) -> dict[str, int]:
    sums = Counter[str]()
    for kind, count in counts.kinds.items():
        sums[by(kind)] += count
    return dict(sums.most_common())


def _of_tool(tool: str, outcomes: Counter[str | None], ran: list[int]) -> ToolStats:
    failed = sum(outcomes[kind] for kind in ("tool_error", "timeout", "failed"))
    shares = (_share(ran, 0.5), _share(ran, 0.95), _share(ran, 1.0))
    return ToolStats(tool, outcomes.total(), outcomes["refused"], failed, *shares)


def _share(durations: list[int], share: float) -> float | None:
    """The duration that this share of the calls did not exceed."""
    if not durations:
        return None
    return durations[min(len(durations) - 1, int(share * len(durations)))] / 1000
