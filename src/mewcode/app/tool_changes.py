"""What happens when a server changes a tool: the setting mcp.tool_changes."""

from dataclasses import dataclass

from mewcode.config import LoadedSettings
from mewcode.governance.tool_changes import ChangedTools, NoChanges, ToolChanges
from mewcode.mcp import Observer


def tool_changes_of(loaded: LoadedSettings) -> ToolChanges:
    """`ask`: a changed tool is asked about before its next use, whatever rule allows it. `note`: it is only told."""
    return ChangedTools() if loaded.settings.mcp.tool_changes == "ask" else NoChanges()


def watching(observer: Observer, changes: ToolChanges, owner: str | None = None) -> Observer:
    """The observer, with the gate hearing of changed tools (of `owner`'s connection) as well."""
    return _Watching(observer, changes, owner) if isinstance(changes, ChangedTools) else observer


@dataclass(frozen=True)
class _Watching:
    observer: Observer
    changes: ChangedTools
    owner: str | None = None

    def notice(self, server: str, text: str) -> None:
        self.observer.notice(server, text)

    def log(self, server: str, level: str, text: str) -> None:
        self.observer.log(server, level, text)

    def resource_updated(self, server: str, uri: str) -> None:
        self.observer.resource_updated(server, uri)

    def lists_changed(self, server: str) -> None:
        self.observer.lists_changed(server)

    def definition_changed(self, server: str, tools: tuple[str, ...]) -> None:
        self.changes.note(server, tools, self.owner)
        self.observer.definition_changed(server, tools)
