"""What is recorded and kept: audit, shared state, telemetry, sessions."""

from typing import Literal

from pydantic import Field

from mewcode.config.quantities import Duration, Size
from mewcode.config.schema.base import Group


class AuditGroup(Group):
    """The record of every call."""

    url: str | None = Field(default=None, repr=False)
    """sqlite:///PATH or postgresql://…; audit.db under MEWCODE_HOME when absent."""
    retention: Duration = 365 * 86400.0
    """Records older than this are removed, the chain staying verifiable."""
    rotate_at: Size = 1024**3
    """Bytes after which an SQLite file is closed and a new one begun."""
    fsync: bool = False
    """Survive also the loss of power, at the price of a disk flush a call."""
    argument_characters: int = Field(default=4_000, ge=100)
    """Characters of a call's arguments that are kept; what is cut is marked, with its hash."""


class StateGroup(Group):
    """Counters, approvals and sessions that replicas share."""

    url: str | None = Field(default=None, repr=False)
    """redis://…; memory when absent."""
    prefix: str = "mewcode:"
    """Goes before every key in Redis."""
    timeout: Duration = 2.0
    """Seconds an operation in Redis may take."""


class TelemetryGroup(Group):
    """Traces, metrics and logs. Nothing leaves the machine unless an endpoint is named here."""

    traces: str | None = Field(default=None, pattern=r"^https?://")
    """An OpenTelemetry collector (OTLP over HTTP); none when absent."""
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    """HTTP headers for the collector."""
    service_name: str = "mewcode"
    """How this process is called there."""
    metrics: bool = True
    """Offer /metrics in `serve --http`."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least level that goes to the log."""
    log_size: Size = 10 * 1024**2
    """Bytes after which a log file is rotated."""
    log_files: int = Field(default=5, ge=1)
    """Log files that are kept."""


class SessionsGroup(Group):
    """Conversations on disk."""

    retention: Duration = 90 * 86400.0
    """Sessions and their outputs older than this are removed."""
    checkpoints: bool = True
    """Keep copies of files that tools change, for /rewind."""
