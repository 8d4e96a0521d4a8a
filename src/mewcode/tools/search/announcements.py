"""What a session has told its model about tools so far, so that later notes only add to it."""

from collections.abc import Iterable, Mapping

from mewcode.tools.base import Tool
from mewcode.tools.registry import View
from mewcode.tools.search.answer import server_notes
from mewcode.tools.search.reminder import DEFAULT_BUDGET, grouped, names_line, reminder
from mewcode.tools.search.tokens import estimate_tokens
from mewcode.tools.sources import ServerSource


class ToolAnnouncements:
    """One a session. What was said stays as it was, for the sake of the provider's prompt cache; `next` says the rest.

    All notes together cost at most `budget` tokens.
    """

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        self._left = budget
        self._names: frozenset[str] | None = None
        self._notes: frozenset[str] = frozenset()
        self._view: View | None = None

    def next(self, view: View, sources: Mapping[str, ServerSource]) -> str | None:
        """The note for the newest user turn, None when nothing has changed."""
        notes = frozenset(server_notes(sources.values()))
        if view is self._view and notes == self._notes:
            return None
        self._view = view
        groups = grouped(view)
        names = frozenset(name for group in groups.values() for name in group)
        text = self._text(groups, names, notes, sources, view)
        self._names, self._notes = names, notes
        if not text:
            return None
        self._left -= estimate_tokens(text)
        return text

    def _text(
        self,
        groups: Mapping[str, list[str]],
        names: frozenset[str],
        notes: frozenset[str],
        sources: Mapping[str, ServerSource],
        tools: Iterable[Tool],
    ) -> str:
        if self._names is None:
            return reminder(tools, sources, self._left)
        fresh = {s: [n for n in group if n not in self._names] for s, group in groups.items()}
        fresh = {server: group for server, group in fresh.items() if group}
        gone = sorted(self._names - names)
        if not fresh and not gone and notes <= self._notes:
            return ""
        return self._delta(fresh, gone, sorted(notes - self._notes), sources)

    def _delta(
        self,
        fresh: Mapping[str, list[str]],
        gone: list[str],
        notes: list[str],
        sources: Mapping[str, ServerSource],
    ) -> str:
        lines = [names_line(s, group, p.prefix if (p := sources.get(s)) else "") for s, group in fresh.items()]
        full = [*(["New tools to load with tool_search:", *lines] if fresh else []), *notes]
        full += [f"Gone: {' '.join(gone)}"] if gone else []
        counts = [f"{len(group)} new tools of {server or 'built-in'}" for server, group in fresh.items()]
        short = ", ".join([*counts, *([f"{len(gone)} tools gone"] if gone else [])])
        for text in ("\n".join(full), "\n".join([short, *notes]), short, "Tools have changed; see tool_search."):
            if text and estimate_tokens(text) <= self._left:
                return text
        return ""
