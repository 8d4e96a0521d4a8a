"""What the gate tells the audit, and the port through which it does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from mewcode.calls import FileChange, Json


class Outcome(str, Enum):
    """How a call ended. `UNKNOWN` is a call that began and has no end: it is still running, or its process died."""

    OK = "ok"
    TOOL_ERROR = "tool_error"
    REFUSED = "refused"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class AuditEntry:
    """One call as the gate sees it before the act.

    `tool` is the tool's original name and `server` its server (None for a built-in); `name` is what the caller said.
    `effect` is allow, ask or deny; `rule` is the text of the rule that decided and `rule_source` its file and line.
    `arguments` come whole: the audit redacts and bounds them.
    """

    call_id: str
    principal: str
    roles: tuple[str, ...]
    door: str
    session: str
    tool: str
    name: str
    server: str | None = None
    arguments: Mapping[str, Json] = field(default_factory=dict[str, Json])
    effect: str | None = None
    rule: str | None = None
    rule_source: str | None = None
    reason: str = ""
    policy_hash: str | None = None
    parent: str | None = None
    answered_by: str | None = None


@dataclass(frozen=True)
class AuditEnd:
    """How it went. `duration` is in seconds, `size` in bytes of the whole result; `error` is its error's text."""

    outcome: Outcome
    duration: float = 0.0
    size: int = 0
    files: tuple[FileChange, ...] = ()
    error: str | None = None


@dataclass(frozen=True)
class AuditHandle:
    """The begin record of a call that may now run: its sequence number in the log."""

    seq: int


class AuditPort(Protocol):
    """Each method but `end` returns when the record is safe against the death of the process, and raises AuditError
    when it cannot be stored; a call whose `begin` raised must not run.
    """

    async def begin(self, entry: AuditEntry) -> AuditHandle: ...

    async def end(self, handle: AuditHandle, end: AuditEnd) -> None:
        """Takes the record over: it is stored before any that comes later, and before the log is closed."""
        ...

    async def refuse(self, entry: AuditEntry, end: AuditEnd | None = None) -> None:
        """A call that did not run: one record instead of two, and beyond so many a minute of one principal, one more in
        a count. `end` defaults to the outcome `refused`."""
        ...

    async def event(
        self,
        kind: str,
        *,
        principal: str | None = None,
        door: str | None = None,
        session: str | None = None,
        details: Mapping[str, Json] | None = None,
        counted_for: str | None = None,
    ) -> None:
        """Anything else worth keeping: log-ins, refused tokens, trust grants, approvals, reloads. Of events that
        somebody can cause at will, `counted_for` says who: beyond so many a minute they are counted."""
        ...

    async def close(self) -> None: ...
