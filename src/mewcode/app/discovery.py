"""What a session's model has been told of deferred tools."""

from collections.abc import Sequence

from mewcode.calls import Principal
from mewcode.tools import Tool, ToolRegistry
from mewcode.tools.search import DiscoveredTools, ToolAnnouncements


class Discovery:
    """Joins the tool search's memory (`discovered`) to the agent: which tools it has, what news there is of others."""

    def __init__(self, registry: ToolRegistry, discovered: DiscoveredTools, budget: int) -> None:
        self._registry = registry
        self.discovered = discovered
        self._budget = budget

    def tools(self, session: str, principal: Principal) -> Sequence[Tool]:
        """Those whose whole schema the model has: built-ins first, then in the order in which they were found."""
        view = self._registry.view(principal)
        found = [view.get(name) for name in self.discovered.names(session)]
        return [*view.immediate, *(tool for tool in found if tool is not None and tool.deferred)]

    def announcements(self, principal: Principal) -> "_Teller":
        """A new teller, for a model that has been told nothing yet."""
        return _Teller(self._registry, principal, ToolAnnouncements(self._budget))


class _Teller:
    def __init__(self, registry: ToolRegistry, principal: Principal, announcements: ToolAnnouncements) -> None:
        self._registry = registry
        self._principal = principal
        self._announcements = announcements

    def __call__(self) -> str | None:
        return self._announcements.next(self._registry.view(self._principal), self._registry.sources)
