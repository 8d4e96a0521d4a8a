"""Pending questions that any replica may see answered."""

import time
from functools import cached_property
from typing import TYPE_CHECKING

from mewcode.governance.questions import Pending
from mewcode.state.store import Store

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_GRACE = 60.0
"""Seconds that an expired question is kept, so that its answer is told that it came too late."""


class StoreQuestions:
    """Questions in a store: `take` is atomic there, so that an answer counts once among all replicas."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(self, pending: Pending) -> None:
        left = max(0.0, pending.question.expires_at - time.time())
        text = self._form.dump_json(pending).decode()
        await self._store.set(_key(pending.question.id), text, ttl=left + _GRACE)

    async def take(self, question_id: str) -> Pending | None:
        text = await self._store.take(_key(question_id))
        return None if text is None else self._form.validate_json(text)

    async def end_session(self, session: str) -> None:
        """Nothing to do: what nobody answers expires by itself, and fits no other session."""
        return

    @cached_property
    def _form(self) -> "TypeAdapter[Pending]":
        from pydantic import TypeAdapter

        return TypeAdapter(Pending)


def _key(question_id: str) -> str:
    return f"question:{question_id}"
