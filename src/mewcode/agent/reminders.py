"""Facts that change while a session goes on, told to the model in the newest user turn and only when they changed."""

import re
from collections.abc import Mapping

from mewcode.agent.ports import News, Reminder
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
    """Remembers what the model was told last, by subject. States are told when they change, news as they come."""

    def __init__(self, states: Mapping[str, Reminder], news: Mapping[str, News] | None = None) -> None:
        self._states = states
        self._news = news or {}
        self.forget()

    def forget(self) -> None:
        """After a compaction the model no longer has what it was told."""
        self._told: dict[str, str] = {}
        self._tellers = {subject: make() for subject, make in self._news.items()}

    def fresh(self) -> tuple[str, ...]:
        """The reminders that are new or changed since they were last asked for, wrapped."""
        changed = [text for subject, source in self._states.items() if (text := self._changed(subject, source()))]
        changed += [text for teller in self._tellers.values() if (text := teller())]
        return tuple(wrap_reminder(text) for text in changed)

    def _changed(self, subject: str, now: str | None) -> str | None:
        text = (now or "").strip()
        before, self._told[subject] = self._told.get(subject, ""), text
        if text == before:
            return None
        return text or f"What was said about {subject} no longer holds."


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
