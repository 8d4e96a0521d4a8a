"""Approvals that wait for another person: each for one exact call, good once, and no answer means no."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import TypeAdapter

from mewcode.calls import Principal, Question
from mewcode.config import LoadedSettings, Paths
from mewcode.errors import RefusedError, UsageError
from mewcode.governance.labels import made_visible
from mewcode.governance.roles import UNBOUND_ROLE
from mewcode.state import Store

_KEY = "approval:"
MOST_WAITING = 50
"""Approvals of one principal that wait at once: whoever decides must be able to read them."""
_LONGEST_DETAILS = 8_000
"""Characters of what would happen that are kept for the person who decides."""


@dataclass(frozen=True)
class Approval:
    """`fingerprint` is that of the gate's question: who, in which session, which tool, with which arguments."""

    id: str
    kind: str
    fingerprint: str
    principal: str
    own: bool
    door: str
    tool: str
    server: str | None
    action: str
    details: str
    reasons: tuple[str, ...]
    asked_at: float
    expires_at: float
    decision: Literal["granted", "denied"] | None = None
    by: str | None = None
    comment: str | None = None


_FORM: TypeAdapter[Approval] = TypeAdapter(Approval)


class ApprovalBook:
    """Pending and decided approvals in a store that the server and `mewcode approvals` share."""

    def __init__(self, store: Store, good_for: float = 3600.0) -> None:
        self._store = store
        self._good_for = good_for

    async def ask(self, question: Question, asker: Principal) -> Approval | None:
        """Puts the question before whoever may approve; the same call asks once. None where too many of the same
        principal wait already."""
        now = time.time()
        known = await self.find(_id_of(question))
        if known is None and sum(one.principal == asker.name for one in await self.pending()) >= MOST_WAITING:
            return None
        approval = Approval(
            id=_id_of(question),
            kind=question.kind.value,
            fingerprint=question.fingerprint,
            principal=asker.name,
            own=UNBOUND_ROLE in asker.roles,
            door=asker.door.value,
            tool=question.tool,
            server=question.server,
            action=made_visible(question.action),
            details=made_visible(question.details)[:_LONGEST_DETAILS],
            reasons=tuple(made_visible(reason) for reason in question.reasons),
            asked_at=now,
            expires_at=now + self._good_for,
        )
        await self._store.add(_KEY + approval.id, _text(approval), ttl=self._good_for)
        return await self.find(approval.id) or approval

    async def use(self, question: Question) -> Approval | None:
        """What was decided about this very call, taken out of the book; None where nothing was."""
        key = _KEY + _id_of(question)
        text = await self._store.get(key)
        if text is None:
            return None
        approval = _FORM.validate_json(text)
        if approval.decision is None or approval.expires_at <= time.time():
            return None
        if approval.fingerprint != question.fingerprint:
            return None
        return approval if await self._store.take(key) == text else None

    async def find(self, approval_id: str) -> Approval | None:
        text = await self._store.get(_KEY + approval_id)
        return None if text is None else _FORM.validate_json(text)

    async def pending(self) -> list[Approval]:
        """Those that nobody has decided yet, oldest first."""
        found = [await self.find(key.removeprefix(_KEY)) for key in await self._store.keys(_KEY)]
        waiting = [one for one in found if one is not None and one.decision is None]
        return sorted(waiting, key=lambda one: one.asked_at)

    async def decide(
        self, approval_id: str, *, grant: bool, by: str, comment: str | None, may: Callable[[Approval], None]
    ) -> Approval:
        """Raises UsageError where there is none that waits, and what `may` raises."""
        text = await self._store.get(_KEY + approval_id)
        waiting = None if text is None else _FORM.validate_json(text)
        if waiting is None or waiting.decision is not None:
            raise UsageError("serve.no_approval", id=approval_id)
        may(waiting)
        decided = replace(waiting, decision="granted" if grant else "denied", by=by, comment=comment)
        left = max(1.0, waiting.expires_at - time.time())
        if not await self._store.replace(_KEY + approval_id, text, _text(decided), ttl=left):
            raise UsageError("serve.no_approval", id=approval_id)
        return decided


def may_approve(loaded: LoadedSettings, who: str, approval: Approval) -> None:
    """Raises RefusedError: somebody with roles needs one with `approve`, and nobody approves for himself, except the
    person at this machine whose own client asks."""
    settings = loaded.settings
    entry = settings.principals.get(who)
    roles = entry.roles if entry else []
    if roles and not any(settings.roles[name].approve for name in roles if name in settings.roles):
        raise RefusedError("serve.may_not_approve", who=who)
    if who == approval.principal and not approval.own:
        raise RefusedError("serve.own_approval", who=who)


def approvals_store(loaded: LoadedSettings, paths: Paths) -> Store:
    """Redis where the settings name one, else a file of this user's."""
    from mewcode.state.open_store import open_store
    from mewcode.state.sqlite_store import SqliteStore

    state = loaded.settings.state
    if state.url:
        return open_store(state.url, prefix=state.prefix, timeout=state.timeout)
    return SqliteStore(paths.home / "approvals.db")


def _id_of(question: Question) -> str:
    return hashlib.sha256(f"{question.kind.value} {question.fingerprint}".encode()).hexdigest()[:12]


def _text(approval: Approval) -> str:
    return _FORM.dump_json(approval).decode()
