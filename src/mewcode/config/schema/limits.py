"""How often, how many at once, how long."""

from typing import Literal

from pydantic import Field

from mewcode.config.quantities import Duration
from mewcode.config.schema.base import Group


class RateLimits(Group):
    """Limits of one principal, tool or server. Over the limit a call fails at once and is told when to come back."""

    per_minute: int | None = Field(default=None, ge=0)
    """Calls a minute; no limit when absent."""
    concurrent: int | None = Field(default=None, ge=0)
    """Calls at once; no limit when absent."""


class BreakerSettings(Group):
    """The circuit breaker of each upstream server."""

    failures: int = Field(default=5, ge=1)
    """Failures within the window that open it."""
    window: Duration = 60.0
    """Seconds over which failures are counted."""
    open_for: Duration = 30.0
    """Seconds it stays open before one call may try again."""
    slow_call: Duration | None = None
    """Seconds after which a call that succeeded still counts as a failure; never when absent."""


class LimitsGroup(Group):
    """General limits. Roles may have narrower ones."""

    per_minute: int = Field(default=600, ge=0)
    """Calls a minute of one principal."""
    concurrent: int = Field(default=32, ge=1)
    """Calls at once of one principal."""
    tools: dict[str, RateLimits] = Field(default_factory=dict[str, RateLimits])
    """Limits by tool, with wildcards, over all principals."""
    servers: dict[str, RateLimits] = Field(default_factory=dict[str, RateLimits])
    """Limits by MCP server, over all principals."""
    deadlines: dict[str, Duration] = Field(default_factory=dict[str, Duration])
    """Seconds a call may take, by tool, with wildcards; the shortest that fits counts."""
    breaker: BreakerSettings = Field(default_factory=BreakerSettings.model_construct)
    """The circuit breaker of each upstream server."""
    repeated_calls: int = Field(default=3, ge=2)
    """The same call so many times in a row is asked about."""
    without_store: Literal["closed", "open"] = "closed"
    """When the shared state (`state.url`) is away: refuse calls, or let them through uncounted. Permission and audit
    always refuse."""
