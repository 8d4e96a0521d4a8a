"""A saved session written down for people (Markdown, HTML) or programs (JSON)."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mewcode.agent.journal import Record
from mewcode.agent.render import clean
from mewcode.agent.sessions import SessionStore, SessionSummary
from mewcode.agent.user_message import is_persons

FORMATS = ("markdown", "html", "json")
_BACKTICKS = re.compile(r"`{3,}")


@dataclass(frozen=True)
class Entry:
    """One thing that was said. `who` is person, model, call, result or summary; `title` names a tool."""

    who: str
    text: str
    title: str = ""


def export_session(store: SessionStore, session_id: str, form: str) -> str:
    """`form` is one of FORMATS. Raises UsageError for an unknown session."""
    summary = store.summary(session_id)
    records = list(store.records(session_id))
    if form == "json":
        return json.dumps({**summary.to_json(), "records": records}, ensure_ascii=False, indent=2) + "\n"
    entries = list(entries_of(records))
    return _as_html(summary, entries) if form == "html" else _as_markdown(summary, entries)


def entries_of(records: list[Record]) -> Iterator[Entry]:
    """What was said, in order, without what MewCode told the model on the side."""
    for record in records:
        if record.get("type") == "message":
            for part in record["message"].get("parts", []):
                yield from _entries_of_part(part)
        elif record.get("type") == "compacted":
            yield Entry("summary", "The conversation was summarised here to save room.")


def _entries_of_part(part: dict[str, Any]) -> Iterator[Entry]:
    text = _text(part.get("content"))
    match part.get("part_kind"):
        case "user-prompt" if is_persons(text):
            yield Entry("person", text)
        case "text":
            yield Entry("model", text)
        case "tool-call":
            arguments = part.get("args")
            shown = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            yield Entry("call", shown, str(part.get("tool_name")))
        case "tool-return":
            yield Entry("result", text, str(part.get("tool_name")))
        case _:
            return


def _text(content: Any) -> str:
    if isinstance(content, str):
        return clean(content)
    if isinstance(content, list):
        return "\n".join(_text(item) for item in content)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(content, dict):
        return f"[{content.get('media_type', 'attachment')}]"  # pyright: ignore[reportUnknownMemberType]
    return "" if content is None else str(content)


# --- Markdown --------------------------------------------------------------------------------------------------


def _as_markdown(summary: SessionSummary, entries: list[Entry]) -> str:
    head = [
        f"# {summary.title or summary.id}",
        f"Session {summary.id} · {summary.model} · {summary.workspace} · {summary.created}",
    ]
    return "\n\n".join([*head, *(_markdown_entry(entry) for entry in entries)]) + "\n"


def _markdown_entry(entry: Entry) -> str:
    match entry.who:
        case "person":
            return f"## You\n\n{entry.text}"
        case "model":
            return entry.text
        case "call":
            return f"**{entry.title}**\n\n{_fenced(entry.text, 'json')}"
        case "result":
            return _fenced(entry.text)
        case _:
            return f"*{entry.text}*"


def _fenced(text: str, language: str = "") -> str:
    """In a fence longer than any in the text, so that the text cannot end it."""
    longest = max((len(found) for found in _BACKTICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


# --- HTML ------------------------------------------------------------------------------------------------------

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }}
header, .summary {{ color: #666; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.4 ui-monospace, monospace; margin: 0; }}
.person {{ background: #eef4ff; padding: .5rem 1rem; border-radius: .5rem; margin: 1.5rem 0 1rem; }}
.person pre, .model pre {{ font: inherit; }}
details {{ border-left: 3px solid #ccc; padding-left: .75rem; margin: .5rem 0; }}
@media (prefers-color-scheme: dark) {{
body {{ background: #16181c; color: #ddd; }}
.person {{ background: #243049; }}
}}
</style>
</head>
<body>
<header><h1>{title}</h1><p>{facts}</p></header>
{entries}
</body>
</html>
"""


def _as_html(summary: SessionSummary, entries: list[Entry]) -> str:
    facts = " · ".join((summary.id, summary.model, summary.workspace, summary.created))
    return _PAGE.format(
        title=html.escape(summary.title or summary.id),
        facts=html.escape(facts),
        entries="\n".join(_html_entry(entry) for entry in entries),
    )


def _html_entry(entry: Entry) -> str:
    text = f"<pre>{html.escape(entry.text)}</pre>"
    if entry.who in ("call", "result"):
        label = html.escape(f"{entry.title} ({entry.who})")
        return f"<details><summary>{label}</summary>{text}</details>"
    return f'<div class="{entry.who}">{text}</div>'
