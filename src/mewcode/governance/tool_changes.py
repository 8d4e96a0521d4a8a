"""Tools of servers that are no longer what they were when somebody allowed them."""

from typing import Protocol

from mewcode.tools import Tool


class ToolChanges(Protocol):
    """Which tools have changed and wait for somebody to look at them."""

    def waits(self, tool: Tool) -> bool: ...

    def accept(self, tool: Tool) -> None:
        """Somebody has seen the change and said yes."""
        ...


class NoChanges:
    """For settings that only note a change."""

    def waits(self, tool: Tool) -> bool:
        return False

    def accept(self, tool: Tool) -> None:
        return


class ChangedTools:
    """Kept by server, owner and the server's own name of the tool: a rule that allows it by name does not know the
    change, and what one principal accepts of its own connection says nothing about another's."""

    def __init__(self) -> None:
        self._waiting: set[tuple[str, str | None, str]] = set()

    def note(self, server: str, tools: tuple[str, ...], owner: str | None = None) -> None:
        self._waiting.update((server, owner, tool) for tool in tools)

    def waits(self, tool: Tool) -> bool:
        return tool.server is not None and (tool.server, tool.owner, tool.original_name) in self._waiting

    def accept(self, tool: Tool) -> None:
        if tool.server is not None:
            self._waiting.discard((tool.server, tool.owner, tool.original_name))
