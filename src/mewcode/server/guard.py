"""Nothing of an exception's text reaches a client: it gets the number under which the log has it."""

import logging
import uuid
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR
from pydantic import ValidationError

_log = logging.getLogger(__name__)


async def guard(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Middleware around every request. Errors that are meant for the client pass."""
    try:
        return await call_next(ctx)
    except (MCPError, ValidationError):
        raise
    except Exception:  # noqa: BLE001 - the last place before the wire
        incident = uuid.uuid4().hex[:12]
        _log.exception("%s failed (incident %s)", ctx.method, incident)
        raise MCPError(INTERNAL_ERROR, f"Internal error (incident {incident})") from None
