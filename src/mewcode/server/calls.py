"""tools/call: from the request to a call of the gate, and from its result to the reply."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from mewcode.agent.outputs import Outputs
from mewcode.app.house import App
from mewcode.calls import ErrorKind, Question, ToolCall, ToolResult
from mewcode.governance.audit.port import AuditEntry
from mewcode.governance.labels import fence
from mewcode.server.asking import Asked, Asking, no, nobody_to_ask
from mewcode.server.callers import Caller
from mewcode.server.channel import ClientChannel, wanted_level
from mewcode.server.results import own_result, upstream_result
from mewcode.tools import Tool
from mewcode.workspace.output_files import session_folder

MOST_QUESTIONS = 3
"""Of one call: an approval, a confirmation, and one more where something changed meanwhile."""


@dataclass
class ToolCalls:
    """`ways` are tried in turn for each question. `levels` are the log levels that old-era sessions have set."""

    ways: tuple[Asking, ...] = ()
    levels: dict[str, str] = field(default_factory=dict[str, str])

    async def run(
        self, app: App, caller: Caller, name: str, tool: Tool, ctx: ServerRequestContext[Any, Any], arguments: Any
    ) -> t.CallToolResult | t.InputRequiredResult:
        level = wanted_level(ctx, self.levels.get(caller.session))
        channel = ClientChannel(ctx, level, tool.server or name)
        call = ToolCall(tool.name, arguments or {}, caller.session, caller.principal, channel=channel)
        outcome = await self._through(app, call, ctx)
        if isinstance(outcome, t.InputRequiredResult):
            return outcome
        return rendered(app, call, tool, outcome)

    async def _through(
        self, app: App, call: ToolCall, ctx: ServerRequestContext[Any, Any]
    ) -> ToolResult | t.InputRequiredResult:
        outcome = await app.gate.call(call)
        for _ in range(MOST_QUESTIONS):
            if isinstance(outcome, ToolResult):
                return outcome
            outcome = await self._ask(app, Asked(ctx, call, outcome))
        if isinstance(outcome, Question):
            await app.gate.call(call, no(outcome, "it was asked too often"))
            return nobody_to_ask(outcome)
        return outcome

    async def _ask(self, app: App, asked: Asked) -> ToolResult | Question:
        for way in self.ways:
            answer = await way.answer(asked)
            if answer is not None:
                return await app.gate.call(asked.call, answer)
        await app.gate.call(asked.call, no(asked.question, "nobody was there to ask"))
        return nobody_to_ask(asked.question)


def rendered(app: App, call: ToolCall, tool: Tool, result: ToolResult) -> t.CallToolResult:
    if result.error is not None and result.error.kind is ErrorKind.UNKNOWN_TOOL:
        raise unknown_tool(call.tool)
    if tool.server is not None:
        return upstream_result(result)
    outputs = Outputs(session_folder(app.paths.outputs, call.session))
    return own_result(
        result,
        lambda text, result: fence(text, app.gate.sessions.of(call.session).marker, result.trust, result.origin),
        lambda text: outputs.save(call.id, text),
        app.settings.mcp.result_characters,
    )


async def refuse_unknown(app: App, caller: Caller, name: str, arguments: Mapping[str, Any] | None) -> MCPError:
    """A tool that is not there and one that is not for this caller: recorded, and answered alike."""
    principal = caller.principal
    entry = AuditEntry(
        call_id=f"refused_{name[:40]}",
        principal=principal.name,
        roles=principal.roles,
        door=principal.door.value,
        session=caller.session,
        tool=name[:200],
        name=name[:200],
        arguments=arguments or {},
        effect="deny",
        reason="not offered to this caller",
    )
    await app.audit.refuse(entry)
    return unknown_tool(name)


def unknown_tool(name: str) -> MCPError:
    return MCPError(t.INVALID_PARAMS, f"Unknown tool: {name[:200]}")
