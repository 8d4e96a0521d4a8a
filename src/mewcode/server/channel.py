"""What a running call reports goes to the client as progress and log messages of that request."""

from typing import Any, get_args

import anyio
import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

LEVELS: tuple[str, ...] = get_args(t.LoggingLevel)
DEFAULT_LEVEL = "info"
PAUSE = 0.1
"""Seconds between two notes about a command's output: a client shows them to a person."""
_LONGEST_NOTE = 300


class ClientChannel:
    """`level` is the least level that the client wants to hear, None for silence."""

    def __init__(self, ctx: ServerRequestContext[Any, Any], level: str | None, logger: str) -> None:
        self._ctx = ctx
        self._level = level
        self._logger = logger
        self._lines = 0
        self._next_note = 0.0

    async def progress(self, done: float, total: float | None, note: str | None) -> None:
        await self._ctx.session.report_progress(done, total, note)

    async def log(self, level: str, text: str) -> None:
        if self._level is None or level not in LEVELS or LEVELS.index(level) < LEVELS.index(self._level):
            return
        params = t.LoggingMessageNotificationParams.model_validate(
            {"level": level, "data": text, "logger": self._logger}
        )
        await self._ctx.session.send_notification(
            t.LoggingMessageNotification(params=params), related_request_id=self._ctx.request_id
        )

    async def output(self, text: str) -> None:
        """Lines so far, with the newest one as the note."""
        self._lines += text.count("\n")
        now = anyio.current_time()
        if now < self._next_note:
            return
        self._next_note = now + PAUSE
        lines = text.strip().splitlines()
        await self._ctx.session.report_progress(self._lines, None, lines[-1][:_LONGEST_NOTE] if lines else None)


def wanted_level(ctx: ServerRequestContext[Any, Any], set_before: str | None) -> str | None:
    """In the new era each request says it, and silence means none; in the old one the session was told."""
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return set_before or DEFAULT_LEVEL
    level = (ctx.meta or {}).get(t.LOG_LEVEL_META_KEY)
    return level if level in LEVELS else None
