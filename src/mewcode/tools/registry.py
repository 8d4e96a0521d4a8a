"""The one registry of tools: by unique name, and by (server, tool)."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from mewcode.calls import Principal
from mewcode.tools.base import Tool
from mewcode.tools.sources import ServerSource, ServerState

Visible: TypeAlias = Callable[[Principal, Tool], bool]
Listener: TypeAlias = Callable[[], None]

MOST_VIEWS = 256
"""Principals whose view is kept."""


def _everything(principal: Principal, tool: Tool) -> bool:
    return True


@dataclass(frozen=True)
class View:
    """The tools that one principal may see, in the registry's order (built-ins first, then as they arrived)."""

    tools: tuple[Tool, ...]

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def get(self, name: str) -> Tool | None:
        return self.by_name.get(name)

    @cached_property
    def by_name(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.tools}

    @cached_property
    def immediate(self) -> tuple[Tool, ...]:
        """Those that the model is told of at once."""
        return tuple(tool for tool in self.tools if not tool.deferred)

    @cached_property
    def deferred(self) -> dict[str, Tool]:
        """By name, those that the model has to look for."""
        return {tool.name: tool for tool in self.tools if tool.deferred}


class ToolRegistry:
    """Holds tool instances. `visible` decides what a principal sees; `app` provides it. It may depend on the principal,
    the tool and the names of the servers, and on nothing that changes.

    Listeners are told after every change; they must be quick and must not change the registry.
    """

    def __init__(self, visible: Visible = _everything) -> None:
        self._visible = visible
        self._views: dict[Principal, tuple[tuple[object, ...], View]] = {}
        self.sources: dict[str, ServerSource] = {}
        self.owned: dict[tuple[str, str], ServerSource] = {}
        """By server and principal, where each principal has a connection of its own."""
        self.version = 0
        self._tools: dict[str, Tool] = {}
        self._listeners: list[Listener] = []

    @property
    def visible(self) -> Visible:
        return self._visible

    @visible.setter
    def visible(self, visible: Visible) -> None:
        self._visible = visible
        self._views.clear()

    def __iter__(self) -> Iterator[Tool]:
        return iter(tuple(self._tools.values()))

    def __len__(self) -> int:
        return len(self._tools)

    def add(self, tool: Tool) -> None:
        """Raises ValueError when another tool has that name."""
        if self._tools.get(tool.name, tool) is not tool:
            raise ValueError(f"two tools are named {tool.name}")
        self._tools[tool.name] = tool
        self._changed()

    def replace_server(self, server: str, tools: Iterable[Tool], owner: str | None = None) -> None:
        """Makes `tools` all that `server` offers (to `owner`), in one step. Unchanged names keep their place."""
        fresh = {tool.name: tool for tool in tools}
        for name in fresh:
            if (holder := self._tools.get(name)) is not None and (holder.server, holder.owner) != (server, owner):
                raise ValueError(f"two tools are named {name}")
        kept = {
            name: fresh.get(name, tool)
            for name, tool in self._tools.items()
            if (tool.server, tool.owner) != (server, owner) or name in fresh
        }
        self._tools = {**kept, **fresh}
        self._changed()

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def find(self, server: str | None, original_name: str) -> Tool | None:
        return next((t for t in self if t.server == server and t.original_name == original_name), None)

    def of_server(self, server: str) -> tuple[Tool, ...]:
        return tuple(tool for tool in self if tool.server == server)

    def view(self, principal: Principal) -> View:
        """What this principal may see: what it may not call is not there."""
        state = (self.version, *self.sources)
        kept, view = self._views.get(principal, ((), View(())))
        if kept != state:
            view = View(tuple(tool for tool in self if self.visible(principal, tool)))
            if len(self._views) >= MOST_VIEWS:
                self._views.clear()
            self._views[principal] = (state, view)
        return view

    async def resolve(self, name: str, principal: str | None = None) -> Tool | None:
        """The tool of that name; while the server that the name belongs to connects, waits for that server only (for
        the connection of `principal`, where each has its own).

        Bound the wait with a deadline of your own: a server's connect deadline always ends it.
        """
        tool = self._tools.get(name)
        while tool is None and (source := self._connecting_source(name, principal)):
            await source.wait_settled()
            tool = self._tools.get(name)
        return tool

    def source_of(self, name: str, principal: str | None = None) -> ServerSource | None:
        """The server that a name would belong to: that of the tool, else the longest prefix that fits."""
        if (tool := self._tools.get(name)) is not None:
            return self.sources.get(tool.server or "")
        fitting = [source for source in self.sources_for(principal) if name.startswith(source.prefix)]
        return max(fitting, key=lambda source: len(source.prefix), default=None)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener` after every change; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def sources_for(self, principal: str | None) -> list[ServerSource]:
        """The servers as this principal has them."""
        return [self.owned.get((source.name, principal or ""), source) for source in self.sources.values()]

    def _connecting_source(self, name: str, principal: str | None) -> ServerSource | None:
        sources = self.sources_for(principal)
        fitting = [s for s in sources if name.startswith(s.prefix) and s.state is ServerState.CONNECTING]
        return max(fitting, key=lambda source: len(source.prefix), default=None)

    def _changed(self) -> None:
        self.version += 1
        for listener in tuple(self._listeners):
            listener()
