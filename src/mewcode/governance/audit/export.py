"""The audit for other programs: JSON lines, CSV, and CEF as ArcSight and most SIEMs read it."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator

from mewcode import __version__
from mewcode.governance.audit.view import Shown

CSV_COLUMNS = (
    "seq", "time", "kind", "principal", "roles", "door", "session", "server", "tool", "name", "arguments", "effect",
    "rule", "outcome", "error", "duration_ms", "bytes", "files", "policy", "call", "details",
)  # fmt: skip

_SEVERITY = {"refused": 5, "timeout": 4, "failed": 6, "tool_error": 3, "unknown": 6, "cancelled": 2}


def as_json_lines(calls: Iterable[Shown]) -> Iterator[str]:
    for call in calls:
        yield json.dumps(call, ensure_ascii=False, separators=(",", ":"))


def as_csv(calls: Iterable[Shown]) -> Iterator[str]:
    """RFC 4180, with a header. A cell that a spreadsheet would take for a formula begins with an apostrophe."""
    yield _csv_line(CSV_COLUMNS)
    for call in calls:
        yield _csv_line([_cell(call[column]) for column in CSV_COLUMNS])


def as_cef(calls: Iterable[Shown]) -> Iterator[str]:
    """ArcSight Common Event Format, version 0 (Micro Focus, CEF revision 25)."""
    for call in calls:
        signature = call["name"] or call["kind"]
        name = f"{call['tool']} {call['outcome']}" if call["kind"] == "call" else f"event {call['name']}"
        severity = _SEVERITY.get(call["outcome"] or "", 1)
        head = "|".join(map(_cef_header, ("MewCode", "MewCode", __version__, str(signature), name, str(severity))))
        pairs = " ".join(f"{key}={_cef_value(value)}" for key, value in _cef_pairs(call))
        yield f"CEF:0|{head}|{pairs}"


FORMATS: dict[str, Callable[[Iterable[Shown]], Iterator[str]]] = {
    "jsonl": as_json_lines,
    "csv": as_csv,
    "cef": as_cef,
}


def _cef_pairs(call: Shown) -> Iterator[tuple[str, str]]:
    custom = (("cs1", "session"), ("cs2", "rule"), ("cs3", "arguments"), ("cs4", "policy"), ("cs5", "files"))
    plain = (("rt", "time"), ("externalId", "seq"), ("suser", "principal"), ("act", "effect"), ("outcome", "outcome"),
             ("app", "door"), ("dhost", "server"), ("msg", "error"), ("out", "bytes"))  # fmt: skip
    for key, column in plain:
        if call[column] not in (None, ""):
            yield key, _text(call[column])
    if call["duration_ms"] is not None:
        yield "cn1Label", "durationMs"
        yield "cn1", _text(call["duration_ms"])
    for key, column in custom:
        value = call["details"] if column == "arguments" and call["kind"] == "event" else call[column]
        if value not in (None, "", [], {}):
            yield f"{key}Label", column
            yield key, _text(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = _text(value)
    is_text = isinstance(value, str)
    return f"'{text}" if is_text and text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _csv_line(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()


def _cef_header(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())


def _cef_value(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("=", "\\=")
    return escaped.replace("\r", "\\r").replace("\n", "\\n")
