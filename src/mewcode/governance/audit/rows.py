"""Turns what the gate says into rows of the log, redacted and bounded, before a chain takes them up."""

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from mewcode.calls import Json
from mewcode.governance.audit.bounded import TOTAL_LIMIT, Redact, bounded
from mewcode.governance.audit.port import AuditEnd, AuditEntry, AuditHandle, Outcome

Row: TypeAlias = dict[str, Any]

_EMPTY: Row = {
    "begun": None,
    "principal": None,
    "roles": None,
    "door": None,
    "session": None,
    "server": None,
    "tool": None,
    "name": None,
    "call_id": None,
    "effect": None,
    "rule": None,
    "policy": None,
    "outcome": None,
    "duration_us": None,
}


def begin_row(entry: AuditEntry, redact: Redact, most: int = TOTAL_LIMIT) -> Row:
    """`most` are the characters of the arguments that are kept."""
    return _row("begin", _entry_body(entry, redact, most), **_entry_columns(entry, redact))


def end_row(handle: AuditHandle, end: AuditEnd, redact: Redact) -> Row:
    return _row("end", _end_body(end, redact), begun=handle.seq, **_end_columns(end))


def refused_row(entry: AuditEntry, end: AuditEnd | None, redact: Redact, most: int = TOTAL_LIMIT) -> Row:
    how = end or AuditEnd(Outcome.REFUSED)
    body = {**_entry_body(entry, redact, most), **_end_body(how, redact)}
    return _row("refused", body, **_entry_columns(entry, redact), **_end_columns(how))


def event_row(
    kind: str,
    principal: str | None,
    door: str | None,
    session: str | None,
    details: Mapping[str, Json],
    redact: Redact,
) -> Row:
    columns = {"principal": _clean(principal, redact), "door": door, "session": _clean(session, redact)}
    return _row("event", {"details": bounded(details, redact)}, name=_clean(kind, redact), **columns)


def system_row(kind: str, body: Mapping[str, Json]) -> Row:
    """What the log says about itself: open, checkpoint, pruned, close."""
    return _row(kind, body)


def _row(kind: str, body: Mapping[str, Json], **columns: Any) -> Row:
    return {**_EMPTY, "kind": kind, "body": _encode(body), **columns}


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode


def _clean(text: str | None, redact: Redact) -> str | None:
    """A short text for a column of its own."""
    if text is None:
        return None
    kept = bounded(text, redact)
    return kept if isinstance(kept, str) else kept["$cut"]["head"] + "…"


def _entry_columns(entry: AuditEntry, redact: Redact) -> Row:
    return {
        "principal": _clean(entry.principal, redact),
        "roles": _encode(list(entry.roles)),
        "door": entry.door,
        "session": _clean(entry.session, redact),
        "server": _clean(entry.server, redact),
        "tool": _clean(entry.tool, redact),
        "name": _clean(entry.name, redact),
        "call_id": _clean(entry.call_id, redact),
        "effect": entry.effect,
        "rule": _clean(entry.rule, redact),
        "policy": entry.policy_hash,
    }


def _entry_body(entry: AuditEntry, redact: Redact, most: int) -> Row:
    body: Row = {"arguments": bounded(entry.arguments, redact, most)}
    optional = {
        "reason": entry.reason or None,
        "rule_source": entry.rule_source,
        "parent": entry.parent,
        "answered_by": entry.answered_by,
    }
    body.update({key: bounded(value, redact) for key, value in optional.items() if value is not None})
    return body


def _end_columns(end: AuditEnd) -> Row:
    return {"outcome": end.outcome.value, "duration_us": round(end.duration * 1_000_000)}


def _end_body(end: AuditEnd, redact: Redact) -> Row:
    body: Row = {"size": end.size}
    if end.files:
        # A command may touch any number of files: all of them are kept, only their names are bounded.
        body["files"] = [
            {"path": _clean(change.path, redact), "before": change.before, "after": change.after}
            for change in end.files
        ]
    if end.error is not None:
        body["error"] = bounded(end.error, redact)
    return body
