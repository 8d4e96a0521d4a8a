"""Deferred tools that a session has been shown, whichever replica showed them."""

import json
import logging
from typing import Any

from mewcode.state.store import Store, StoreUnavailableError
from mewcode.tools.base import Tool
from mewcode.tools.search.discovered import DiscoveredTools

_log = logging.getLogger(__name__)
_ATTEMPTS = 16
_MOST = 1_000
"""Tools of one session that are kept; of those beyond, the oldest are shown again."""


class SharedDiscoveredTools(DiscoveredTools):
    """Tells the other replicas through a store, for `kept_for` seconds after the last tool was shown.

    Where the store is away a tool counts as not loaded, and a call to it is answered with its definition.
    """

    def __init__(self, store: Store, kept_for: float) -> None:
        super().__init__()
        self._store = store
        self._kept_for = kept_for
        self._untold: set[str] = set()

    def load(self, session: str, tool: Tool) -> None:
        if not self.is_loaded(session, tool):
            super().load(session, tool)
            self._untold.add(session)

    async def recall(self, session: str) -> None:
        try:
            self._join(session, await self._store.get(_key(session)))
        except StoreUnavailableError as error:
            _log.warning("what other replicas have shown is not known: %s", error)

    async def share(self, session: str) -> None:
        if session not in self._untold:
            return
        self._untold.discard(session)
        try:
            await self._tell(session)
        except StoreUnavailableError as error:
            self._untold.add(session)
            _log.warning("other replicas were not told what was shown: %s", error)

    def end(self, session: str) -> None:
        super().end(session)
        self._untold.discard(session)

    async def _tell(self, session: str) -> None:
        for _ in range(_ATTEMPTS):
            present = await self._store.get(_key(session))
            text = json.dumps({**_read(present), **self._shown(session)}, ensure_ascii=False)
            if await self._store.replace(_key(session), present, text, ttl=self._kept_for):
                return
        raise StoreUnavailableError("state.contended")

    def _join(self, session: str, text: str | None) -> None:
        self._sessions.setdefault(session, {}).update(_read(text))

    def _shown(self, session: str) -> dict[str, str]:
        return dict(list(self._sessions.get(session, {}).items())[-_MOST:])


def _key(session: str) -> str:
    return f"discovered:{session}"


def _read(text: str | None) -> dict[str, str]:
    if text is None:
        return {}
    try:
        value: Any = json.loads(text)
        return {str(name): str(definition) for name, definition in value.items()}
    except (ValueError, AttributeError):
        raise StoreUnavailableError("state.unreadable") from None
