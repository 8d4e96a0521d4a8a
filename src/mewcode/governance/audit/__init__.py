"""Who called which tool, what was decided and what came of it: written before and after the act, chained by hash."""

from mewcode.governance.audit.log import AuditLog
from mewcode.governance.audit.port import AuditEnd, AuditEntry, AuditHandle, AuditPort, Outcome

__all__ = ["AuditEnd", "AuditEntry", "AuditHandle", "AuditLog", "AuditPort", "Outcome"]
