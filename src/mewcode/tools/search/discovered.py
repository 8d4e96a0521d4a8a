"""Which deferred tools a session has been shown, so that it may call them."""

from collections.abc import Iterable


class DiscoveredTools:
    """Kept per session and ended with it. A name counts as long as its definition is the one that was shown."""

    def __init__(self) -> None:
        self._sessions: dict[str, dict[str, str]] = {}

    def mark(self, session: str, tools: Iterable[tuple[str, str]]) -> None:
        """`tools` are names with the fingerprints of their definitions."""
        self._sessions.setdefault(session, {}).update(tools)

    def knows(self, session: str, name: str, fingerprint: str) -> bool:
        return self._sessions.get(session, {}).get(name) == fingerprint

    def names(self, session: str) -> tuple[str, ...]:
        """In the order in which they were found."""
        return tuple(self._sessions.get(session, {}))

    def end(self, session: str) -> None:
        self._sessions.pop(session, None)
