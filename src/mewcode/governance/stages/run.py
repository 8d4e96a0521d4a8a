"""The only place that calls `Tool.execute`, under a deadline."""

import logging
import uuid
from dataclasses import replace

import anyio

from mewcode.calls import ErrorKind, ToolResult
from mewcode.errors import ServerMissingError, ToolFailedError, WorkspaceError
from mewcode.governance.passage import Next, Passage, Reply

_log = logging.getLogger(__name__)
_EXPECTED = (ToolFailedError, WorkspaceError)


class Run:
    """`deadlines` gives seconds by tool, None where the tool's own holds."""

    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        call, tool = passage.call, passage.resolved_tool
        seconds = call.deadline if call.deadline is not None else tool.deadline(call.arguments)
        passage.call = replace(call, deadline=seconds)
        with anyio.move_on_after(seconds) as scope:
            return await _execute(passage)
        assert scope.cancelled_caught
        text = f"{tool.name} did not finish within {seconds:g} s and was stopped. Whether it acted is not known."
        return ToolResult.failed(ErrorKind.TIMEOUT, text, server=tool.server)


async def _execute(passage: Passage) -> ToolResult:
    call, tool = passage.call, passage.resolved_tool
    try:
        return await tool.execute(call)
    except _EXPECTED as error:
        return ToolResult.failed(ErrorKind.TOOL_ERROR, str(error), server=tool.server)
    except ServerMissingError as error:
        return ToolResult.failed(ErrorKind.SERVER_MISSING, str(error), server=tool.server)
    except Exception:  # noqa: BLE001 - whatever a tool raises becomes a result
        incident = uuid.uuid4().hex[:12]
        _log.exception("%s failed (incident %s)", tool.name, incident)
        text = f"{tool.name} failed inside (incident {incident}). Whether it acted is not known."
        return ToolResult.failed(ErrorKind.INTERNAL, text, server=tool.server)
