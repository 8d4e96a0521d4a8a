"""Which deferred tools a session has been shown, so that it may call them."""

from mewcode.tools.base import Tool


class DiscoveredTools:
    """Kept per session and ended with it. A tool counts as loaded as long as its definition is the one shown."""

    def __init__(self) -> None:
        self._sessions: dict[str, dict[str, str]] = {}

    def load(self, session: str, tool: Tool) -> None:
        """Marks a tool whose whole definition this session's caller has been given."""
        self._sessions.setdefault(session, {})[tool.name] = tool.definition_fingerprint()

    def is_loaded(self, session: str, tool: Tool) -> bool:
        shown = self._sessions.get(session, {}).get(tool.name)
        return shown is not None and shown == tool.definition_fingerprint()

    def names(self, session: str) -> tuple[str, ...]:
        """In the order in which they were first shown."""
        return tuple(self._sessions.get(session, {}))

    async def recall(self, session: str) -> None:
        """Learns what other replicas have shown; alone there is nothing to learn."""

    async def share(self, session: str) -> None:
        """Tells other replicas what was shown here since; alone there is nobody to tell."""

    def end(self, session: str) -> None:
        self._sessions.pop(session, None)
