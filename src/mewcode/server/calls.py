"""tools/call: from the request to a call of the gate, and from its result to the reply."""

import uuid
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import mcp_types as t
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mewcode.agent.outputs import Outputs
from mewcode.app.house import App
from mewcode.calls import Answer, Channel, ErrorKind, Question, ToolCall, ToolResult
from mewcode.governance.audit.port import AuditEntry
from mewcode.governance.labels import fence
from mewcode.server.asking import Asked, Context, Way, answer_in, no, nobody_to_ask
from mewcode.server.callers import Caller
from mewcode.server.channel import ClientChannel, wanted_level
from mewcode.server.gateway.relay import LiveCall, Relay
from mewcode.server.gateway.rounds import asked_by_upstream, round_of
from mewcode.server.gateway.suspended import SuspendedCall
from mewcode.server.gateway.suspensions import Suspensions
from mewcode.server.measuring import Measuring
from mewcode.server.results import own_result, upstream_result
from mewcode.tools import Tool
from mewcode.workspace.output_files import session_folder

MOST_QUESTIONS = 3
"""Of one call: an approval, a confirmation, and one more where something changed meanwhile."""
_JOBS = ("background", "job", "action")
"""Arguments of run_command that begin, or look after, what outlives the call."""


@dataclass(frozen=True)
class Wanted:
    """A call as a client made it: `tool` is what it is called by here, resolved. `house` holds on to the house, for a
    call that outlives its request."""

    app: App
    caller: Caller
    tool: Tool
    params: t.CallToolRequestParams
    ctx: Context
    house: Callable[[], AbstractContextManager[App]]

    @property
    def arguments(self) -> Mapping[str, Any]:
        return self.params.arguments or {}


@dataclass
class ToolCalls:
    """`ways` are tried in turn for each question. `levels` are the log levels that old-era sessions have set."""

    relay: Relay
    measuring: Measuring
    suspensions: Suspensions
    ways: tuple[Way, ...] = ()
    levels: dict[str, str] = field(default_factory=dict[str, str])

    async def run(self, wanted: Wanted) -> t.CallToolResult | t.InputRequiredResult:
        caller, tool = wanted.caller, wanted.tool
        if not caller.lasting and tool.server is None and any(wanted.arguments.get(name) for name in _JOBS):
            return _no_jobs()
        level = wanted_level(wanted.ctx, self.levels.get(caller.session))
        channel = ClientChannel(wanted.ctx, level, tool.server or tool.name)
        if (outcome := await self.suspensions.resume(wanted.params, channel)) is not None:
            return outcome
        if not _may_stop_to_ask(wanted):
            return await self._carried_out(wanted, channel)

        async def work(suspended: SuspendedCall) -> t.CallToolResult | t.InputRequiredResult:
            with wanted.house():
                return await self._carried_out(wanted, suspended.line, suspended)

        return await self.suspensions.begin(caller.principal.name, work, channel)

    async def _carried_out(
        self, wanted: Wanted, channel: Channel, suspended: SuspendedCall | None = None
    ) -> t.CallToolResult | t.InputRequiredResult:
        caller, tool, ctx = wanted.caller, wanted.tool, wanted.ctx
        call = ToolCall(
            tool.name,
            wanted.arguments,
            caller.session,
            caller.principal,
            id=_new_call_id() if suspended is None else suspended.id,
            channel=channel,
            round=round_of(ctx, wanted.params),
        )
        with self.relay.during(LiveCall(call, tool.server or "", ctx, tool.owner, suspended)) as live:
            outcome = await self.through(wanted.app, call, ctx, wanted.params)
            await live.pass_logs_on()
        return outcome if isinstance(outcome, t.InputRequiredResult) else rendered(wanted.app, call, tool, outcome)

    def ended(self, session: str) -> None:
        self.levels.pop(session, None)

    async def through(
        self, app: App, call: ToolCall, ctx: Context, params: t.InputResponseRequestParams
    ) -> ToolResult | t.InputRequiredResult:
        """Past the gate, with its questions answered; `params` may bring the answer to one of before."""
        tool, began = app.registry.get(call.tool), self.measuring.begin()
        reply: ToolResult | t.InputRequiredResult | None = None
        try:
            reply = await self._answered(app, call, ctx, params)
            return asked_by_upstream(reply) if isinstance(reply, ToolResult) else reply
        finally:
            self.measuring.end(tool, began, reply)

    async def _answered(
        self, app: App, call: ToolCall, ctx: Context, params: t.InputResponseRequestParams
    ) -> ToolResult | t.InputRequiredResult:
        gate = app.gate
        outcome = await gate.call(call, answer_in(params, call.principal.name))
        reply: Answer | ToolResult | t.InputRequiredResult | None = None
        for _ in range(MOST_QUESTIONS):
            if isinstance(outcome, ToolResult):
                return outcome
            reply = await self._ask(Asked(ctx, call, outcome, reply))
            if not isinstance(reply, Answer):
                return reply
            outcome = await gate.call(call, reply)
        return outcome if isinstance(outcome, ToolResult) else await _give_up(app, call, outcome)

    async def _ask(self, asked: Asked) -> Answer | ToolResult | t.InputRequiredResult:
        for way in self.ways:
            reply = await way.ask(asked)
            if reply is not None:
                return reply
        return no(asked.question, "this client cannot ask anybody")


async def _give_up(app: App, call: ToolCall, question: Question) -> ToolResult:
    await app.gate.call(call, no(question, "it was asked too often"))
    return nobody_to_ask(question)


def rendered(app: App, call: ToolCall, tool: Tool, result: ToolResult) -> t.CallToolResult:
    if result.error is not None and result.error.kind is ErrorKind.UNKNOWN_TOOL:
        raise unknown_tool(call.tool)
    if result.error is not None and (reply := result.error.reply) is not None:
        raise MCPError(reply["code"], str(reply["message"]), reply.get("data"))
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
        call_id=_new_call_id(),
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


def _may_stop_to_ask(wanted: Wanted) -> bool:
    """Whether the server may ask in the midst of the call: one of the old era, that of a client of the new one, which
    cannot be asked before its request is answered."""
    ctx, tool = wanted.ctx, wanted.tool
    if tool.server is None or ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return False
    can = ctx.session.client_capabilities
    if can is None or (can.elicitation is None and can.sampling is None):
        return False
    sources = wanted.app.registry
    source = sources.owned.get((tool.server, tool.owner or "")) or sources.sources.get(tool.server)
    return source is not None and source.era != "modern"


def _new_call_id() -> str:
    return f"call_{uuid.uuid4().hex[:16]}"


def _no_jobs() -> t.CallToolResult:
    text = "Background jobs belong to a session, and this connection has none. Run the command in the foreground."
    return t.CallToolResult(content=[t.TextContent(text=text)], is_error=True)
