"""The numbers of the server: every call of a tool, refusals by reason, states of breakers and upstreams."""

import contextlib
import time
from collections import Counter
from collections.abc import Mapping
from typing import Literal

from mewcode.app.house import App
from mewcode.calls import ErrorKind, ToolResult
from mewcode.governance.limits.breaker import BreakerState
from mewcode.state import Metrics, StoreUnavailableError
from mewcode.tools import Tool

_OUTCOMES: Mapping[ErrorKind, str] = {
    ErrorKind.TIMEOUT: "timeout",
    ErrorKind.CANCELLED: "cancelled",
    ErrorKind.OUTCOME_UNKNOWN: "unknown",
    ErrorKind.TOOL_ERROR: "tool_error",
    ErrorKind.INTERNAL: "failed",
}
_REFUSALS: Mapping[ErrorKind, str] = {
    ErrorKind.REFUSED: "rule",
    ErrorKind.UNKNOWN_TOOL: "role",
    ErrorKind.RATE_LIMITED: "rate_limit",
    ErrorKind.BREAKER_OPEN: "breaker",
    ErrorKind.SERVER_MISSING: "server_missing",
    ErrorKind.INVALID_ARGUMENTS: "invalid_arguments",
    ErrorKind.NOT_LOADED: "not_loaded",
}


_STATES: Mapping[BreakerState, Literal["closed", "half_open", "open"]] = {
    BreakerState.CLOSED: "closed",
    BreakerState.HALF_OPEN: "half_open",
    BreakerState.OPEN: "open",
}


class Measuring:
    """`metrics` is None where nobody asks for them (stdio, or by setting)."""

    def __init__(self, metrics: Metrics | None) -> None:
        self.metrics = metrics

    def begin(self) -> float:
        if self.metrics is not None:
            self.metrics.call_started()
        return time.monotonic()

    def end(self, tool: Tool | None, began: float, reply: object) -> None:
        """`reply` is None for a call that was cancelled, and no result for one that ended at a question."""
        if self.metrics is None:
            return
        error = reply.error if isinstance(reply, ToolResult) else None
        outcome = "cancelled" if reply is None else "ok"
        if error is not None:
            outcome = _OUTCOMES.get(error.kind, "refused")
            if (reason := _REFUSALS.get(error.kind)) is not None:
                self.metrics.refused(reason)
        elif not isinstance(reply, ToolResult) and reply is not None:
            outcome = "asked"
            self.metrics.refused("question")
        name, server = ("?", None) if tool is None else (tool.original_name, tool.server)
        self.metrics.call_ended(name, server, outcome, time.monotonic() - began)

    async def refresh(self, app: App) -> None:
        """States that nobody reports: looked up when somebody asks."""
        if self.metrics is None:
            return
        for name, source in app.registry.sources.items():
            self.metrics.upstream(name, source.state.value)
            with contextlib.suppress(StoreUnavailableError):
                self.metrics.breaker(name, _STATES[await app.gate.breaker.state(name)])
        states = Counter((name, source.state.value) for (name, _), source in app.registry.owned.items())
        self.metrics.connections(states)
