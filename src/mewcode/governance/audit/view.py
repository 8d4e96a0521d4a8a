"""One call, event or record of the audit as it is shown: the JSON that scripts rely on."""

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any, TypeAlias

from mewcode.governance.audit.port import Outcome

Shown: TypeAlias = dict[str, Any]


def shown(row: Mapping[str, Any]) -> Shown:
    """A row of the query of calls. A call that began and has no end has the outcome `unknown`."""
    body, end = json.loads(row["body"]), json.loads(row["ended_body"] or "{}")
    outcome = row["ended_outcome"] or row["outcome"]
    duration = row["ended_duration"] if row["ended_duration"] is not None else row["duration_us"]
    is_call = row["kind"] != "event"
    return {
        "seq": row["seq"],
        "time": iso_time(row["time_us"]),
        "kind": "call" if is_call else "event",
        "principal": row["principal"],
        "roles": json.loads(row["roles"] or "[]"),
        "door": row["door"],
        "session": row["session"],
        "server": row["server"],
        "tool": row["tool"],
        "name": row["name"],
        "arguments": body.get("arguments"),
        "effect": row["effect"],
        "rule": row["rule"],
        "rule_source": body.get("rule_source"),
        "reason": body.get("reason"),
        "policy": row["policy"],
        "outcome": (outcome or Outcome.UNKNOWN.value) if is_call else None,
        "error": end.get("error", body.get("error")),
        "files": end.get("files", body.get("files", [])),
        "bytes": end.get("size", body.get("size")),
        "duration_ms": None if duration is None else round(duration / 1000, 3),
        "call": row["call_id"],
        "parent": body.get("parent"),
        "answered_by": body.get("answered_by"),
        "details": body.get("details"),
    }


def iso_time(microseconds: int) -> str:
    """UTC, to the millisecond, as RFC 3339 has it."""
    moment = datetime.fromtimestamp(microseconds / 1_000_000, tz=timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
