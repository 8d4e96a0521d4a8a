"""An audit that keeps its records in a list: for tests, and for looking at the gate without a database."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mewcode.calls import Json
from mewcode.governance.audit.port import AuditEnd, AuditEntry, AuditHandle, Outcome


@dataclass
class MemoryRecord:
    entry: AuditEntry
    end: AuditEnd | None = None


@dataclass
class MemoryAudit:
    records: list[MemoryRecord] = field(default_factory=list[MemoryRecord])
    events: list[tuple[str, Mapping[str, Json]]] = field(default_factory=list[tuple[str, Mapping[str, Json]]])

    async def begin(self, entry: AuditEntry) -> AuditHandle:
        self.records.append(MemoryRecord(entry))
        return AuditHandle(len(self.records) - 1)

    async def end(self, handle: AuditHandle, end: AuditEnd) -> None:
        self.records[handle.seq].end = end

    async def refuse(self, entry: AuditEntry, end: AuditEnd | None = None) -> None:
        self.records.append(MemoryRecord(entry, end or AuditEnd(Outcome.REFUSED)))

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
        self.events.append((kind, {"principal": principal, "door": door, "session": session, **(details or {})}))

    async def close(self) -> None:
        return
