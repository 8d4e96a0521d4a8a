"""From the name that the caller gave to a tool that it may call."""

from collections.abc import Callable
from typing import Protocol

from mewcode.calls import ErrorKind, Principal, ToolResult
from mewcode.governance.passage import Next, Passage, Reply
from mewcode.tools import ServerState, Tool, ToolRegistry


class Discovered(Protocol):
    """Which deferred tools a session has been shown so far."""

    def is_loaded(self, session: str, tool: Tool) -> bool: ...

    def load(self, session: str, tool: Tool) -> None: ...

    async def recall(self, session: str) -> None:
        """Learns what other replicas have shown the session."""
        ...

    async def share(self, session: str) -> None:
        """Tells other replicas what was shown here."""
        ...


class EverythingLoaded:
    """For doors whose callers have the whole schemas already."""

    def is_loaded(self, session: str, tool: Tool) -> bool:
        return True

    def load(self, session: str, tool: Tool) -> None:
        return

    async def recall(self, session: str) -> None:
        return

    async def share(self, session: str) -> None:
        return


class Resolve:
    """A tool that is not there and one that the caller may not call are answered alike."""

    def __init__(self, registry: ToolRegistry, visible: Callable[[Principal, Tool], bool]) -> None:
        self._registry = registry
        self._visible = visible

    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        call = passage.call
        tool = await self._registry.resolve(call.tool, call.principal.name)
        if tool is None and (missing := self._missing_server(call.tool, call.principal.name)) is not None:
            return missing
        if tool is None or not self._visible(call.principal, tool):
            return ToolResult.failed(
                ErrorKind.UNKNOWN_TOOL, f"There is no tool named {call.tool!r}.{self._near(passage)}"
            )
        passage.tool = tool
        return await proceed(passage)

    def _missing_server(self, name: str, principal: str) -> ToolResult | None:
        source = self._registry.source_of(name, principal)
        if source is None or source.state is ServerState.READY:
            return None
        why = f": {source.error}" if source.error else ""
        text = f"The server {source.name} of {name!r} is not there ({source.state.value}{why}). Other tools still work."
        return ToolResult.failed(ErrorKind.SERVER_MISSING, text, server=source.name)

    def _near(self, passage: Passage) -> str:
        from difflib import get_close_matches

        names = [tool.name for tool in self._registry.view(passage.call.principal)]
        near = get_close_matches(passage.call.tool[:200], names, n=3)
        return f" Did you mean {', '.join(near)}?" if near else ""
