"""Facts that change while a session goes on, told to the model in the newest user turn and only when they changed."""

import re
from collections.abc import Mapping

from mewcode.agent.ports import Reminder
from mewcode.agent.render import clean
from mewcode.tools.sources import ServerSource, ServerState

_TAG = re.compile(r"<(\s*/?\s*system-reminder)", re.IGNORECASE)
_MAX_CHARACTERS = 12_000
_MAX_ERROR = 200


def wrap_reminder(text: str) -> str:
    """`text` in the tag that the system prompt explains; a tag inside it is made harmless."""
    body = _TAG.sub(r"&lt;\1", clean(text))[:_MAX_CHARACTERS]
    return f"<system-reminder>\n{body}\n</system-reminder>"


class Reminders:
    """Remembers what the model was told last, by subject."""

    def __init__(self, sources: Mapping[str, Reminder]) -> None:
        self._sources = sources
        self._told: dict[str, str] = {}

    def fresh(self) -> tuple[str, ...]:
        """The reminders that are new or changed since they were last asked for, wrapped."""
        changed: list[str] = []
        for subject, source in self._sources.items():
            text = (source() or "").strip()
            if text == self._told.get(subject, ""):
                continue
            self._told[subject] = text
            changed.append(wrap_reminder(text or f"What was said about {subject} no longer holds."))
        return tuple(changed)

    def forget(self) -> None:
        """After a compaction the model no longer has what it was told."""
        self._told.clear()


def servers_reminder(sources: Mapping[str, ServerSource]) -> str | None:
    """Which MCP servers are not there (yet), and why; None when all that are wanted are ready."""
    lines = [_server_line(source) for source in sources.values() if source.state not in _QUIET]
    if not lines:
        return None
    return "MCP servers whose tools cannot be used now:\n" + "\n".join(lines)


_QUIET = (ServerState.READY, ServerState.OFF)

_MEANING = {
    ServerState.CONNECTING: "still connecting; a call to one of its tools waits for it",
    ServerState.RETRYING: "lost, reconnecting",
    ServerState.NEEDS_TRUST: "the person has not trusted it yet",
    ServerState.NEEDS_AUTH: "the person has to log in (mewcode mcp login)",
    ServerState.FAILED: "failed",
    ServerState.STOPPED: "stopped",
}


def _server_line(source: ServerSource) -> str:
    error = " ".join((source.error or "").split())[:_MAX_ERROR]
    return f"- {source.name}: {_MEANING[source.state]}" + (f" ({error})" if error else "")
