"""The audit in words, for people at a terminal."""

import json
from collections.abc import Iterator

from mewcode.governance.audit.stats import AuditStats
from mewcode.governance.audit.view import Shown


def describe(call: Shown) -> Iterator[str]:
    """A line for each thing that is known of a call or event; its stored records last."""
    for key, value in call.items():
        if key == "records" or value in (None, [], {}, ""):
            continue
        yield f"{key}: {_printable(value)}"
    for record in call.get("records", ()):
        yield f"record {record['seq']} ({record['kind']}): chain {record['chain']} position {record['position']}"
        yield f"  hash {record['hash']}"


def describe_stats(stats: AuditStats) -> Iterator[str]:
    yield f"calls: {stats.calls}"
    if stats.since and stats.until:
        yield f"from {stats.since} to {stats.until}  {stats.sparkline}"
    for name, counts in (("outcomes", stats.outcomes), ("decisions", stats.effects), ("who", stats.principals)):
        if counts:
            yield f"{name}: " + ", ".join(f"{key} {count}" for key, count in counts.items())
    if stats.refusals:
        yield "refused by: " + ", ".join(f"{rule} {count}" for rule, count in stats.refusals)


def short(value: object, limit: int) -> str:
    """One line of at most `limit` characters."""
    text = " ".join(_printable(value).split()) if value is not None else ""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _printable(value: object) -> str:
    """Recorded text may hold anything; control characters must not reach a terminal."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)
