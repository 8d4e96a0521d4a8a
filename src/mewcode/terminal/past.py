"""A resumed session's past, printed again: its newest part whole, how much there is before it in one line."""

import json
from typing import TYPE_CHECKING, Any, cast

from mewcode.agent.exports import Entry, entries_of
from mewcode.messages import message
from mewcode.terminal.call_lines import title_of
from mewcode.terminal.markdown import render_markdown
from mewcode.terminal.width import cut

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.terminal.session import Session

SHOWN = 40
"""Entries that are shown again."""


def print_past(session: "Session", app: "App", session_id: str) -> None:
    """Nothing for a new session."""
    entries = list(entries_of(list(app.sessions.records(session_id))))
    if not entries or session.shown_session == session_id:
        return
    summary = app.sessions.summary(session_id)
    head = message("terminal.resumed", session=session_id, title=summary.title)
    session.screen.print(head, "accent")
    if len(entries) > SHOWN:
        session.screen.print(message("terminal.earlier", count=len(entries) - SHOWN), "dim")
    for entry in entries[-SHOWN:]:
        _print_entry(session, entry)
    session.turns.count += 1


def _print_entry(session: "Session", entry: Entry) -> None:
    screen = session.screen
    match entry.who:
        case "person":
            session.turns.print_message(entry.text)
            return
        case "model" if not entry.text.strip():
            return
        case "model":
            screen.print("\n" + render_markdown(entry.text, screen.width, screen.ink))
        case "call":
            screen.print(cut(f"· {call_title(entry)}", screen.width - 1), "dim")
        case "summary":
            screen.print(entry.text, "dim")
        case _:
            return
    session.transcript.add(entry.title or entry.who, entry.text)


def call_title(entry: Entry) -> str:
    """The line that the call had when it was made. Its arguments were saved as the model sent them: maybe no JSON."""
    try:
        arguments: object = json.loads(entry.text)
    except ValueError:
        arguments = {"": entry.text}
    return title_of(entry.title, None, cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else {})
