"""Entries for the audit's tests."""

from pathlib import Path

from mewcode.governance.audit import AuditEntry


def entry(number: int = 0, **changes: object) -> AuditEntry:
    values: dict[str, object] = {
        "call_id": f"call_{number}",
        "principal": "alice",
        "roles": ("dev",),
        "door": "terminal",
        "session": "session-1",
        "tool": "read_file",
        "name": "read_file",
        "arguments": {"path": f"src/billing/tax_{number}.py"},
        "effect": "allow",
        "policy_hash": "0123abcd",
    }
    return AuditEntry(**{**values, **changes})  # type: ignore[arg-type]


def url_of(folder: Path) -> str:
    return f"sqlite:///{folder / 'audit.db'}"
