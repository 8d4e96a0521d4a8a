"""What an upstream server asks or says during a call goes to the client whose call it is, and to nobody else."""

from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar, cast

import anyio
import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mewcode.calls import ToolCall
from mewcode.mcp import ElicitationAnswer, SamplingAnswer, SamplingRequest
from mewcode.mcp.ports import Elicitation, SilentObserver
from mewcode.server.gateway.suspended import SuspendedCall

Context: TypeAlias = ServerRequestContext[Any, Any]
_Answer = TypeVar("_Answer")

WAIT_FOR_PERSON = 600.0
"""Seconds that a client has to answer what an upstream server asks."""
MOST_LOGS = 1_000
"""Log messages that wait to be passed on; the oldest go first."""


@dataclass
class LiveCall:
    """A call of an upstream tool, and the request that it came with. `suspended` where its client is asked by the reply
    to that request, and answers with the next."""

    call: ToolCall
    server: str
    ctx: Context
    owner: str | None = None
    suspended: SuspendedCall | None = None
    logs: deque[tuple[str, str]] = field(default_factory=lambda: deque[tuple[str, str]](maxlen=MOST_LOGS))

    async def pass_logs_on(self) -> None:
        while self.logs:
            await self.call.channel.log(*self.logs.popleft())


class Relay:
    """The ports of the house towards upstream servers. `lists_changed_for` is set by whoever wants to hear for which
    principal prompts or resources have changed, None standing for all."""

    def __init__(self) -> None:
        self._live: dict[str, LiveCall] = {}
        self._logged = anyio.Event()
        self.lists_changed_for: Callable[[str | None], None] = lambda owner: None
        self.updated: list[tuple[str, str | None]] = []
        self.changed = anyio.Event()

    @contextmanager
    def during(self, live: LiveCall) -> Generator[LiveCall, None, None]:
        self._live[live.call.id] = live
        try:
            yield live
        finally:
            del self._live[live.call.id]

    async def run(self) -> None:
        """Passes log messages on while calls run; give it a task."""
        while True:
            await self._logged.wait()
            self._logged = anyio.Event()
            for live in list(self._live.values()):
                await live.pass_logs_on()

    async def ask(self, request: Elicitation, call: ToolCall | None) -> ElicitationAnswer:
        """ElicitationPort. A question that belongs to no call of a client that can be asked is declined."""
        live = self._askable(call, "elicitation")
        if live is None:
            return ElicitationAnswer("decline")
        result = await _answer(live, _elicit_request(request), t.ElicitResult)
        if result is None:
            return ElicitationAnswer("cancel")
        return ElicitationAnswer(result.action, cast("dict[str, Any] | None", result.content))

    async def create(self, request: SamplingRequest, call: ToolCall | None) -> SamplingAnswer | None:
        """SamplingPort: the client's model answers, not ours."""
        live = self._askable(call, "sampling")
        if live is None:
            return None
        params = {
            "messages": list(request.messages),
            "systemPrompt": request.system_prompt,
            "maxTokens": request.max_tokens,
            "temperature": request.temperature,
            "stopSequences": list(request.stop_sequences) or None,
        }
        wanted = t.CreateMessageRequestParams.model_validate({k: v for k, v in params.items() if v is not None})
        result = await _answer(live, t.CreateMessageRequest(params=wanted), t.CreateMessageResult)
        if result is None or not isinstance(result.content, t.TextContent):
            return None
        return SamplingAnswer(result.content.text, result.model, result.stop_reason or "endTurn")

    def notice(self, server: str, text: str) -> None:
        return

    def log(self, server: str, level: str, text: str, owner: str | None = None) -> None:
        """A message that names no call is passed on only where all calls over that connection are of one principal."""
        live = [one for one in self._live.values() if one.server == server and one.owner == owner]
        if live and len({one.call.principal for one in live}) == 1:
            live[-1].logs.append((level, text))
            self._logged.set()

    def resource_updated(self, server: str, uri: str, owner: str | None = None) -> None:
        self.updated.append((uri, owner))
        self.changed.set()

    def lists_changed(self, server: str) -> None:
        self.lists_changed_for(None)

    def definition_changed(self, server: str, tools: tuple[str, ...]) -> None:
        return

    def of(self, principal: str) -> "OwnRelay":
        """For the connections of one principal."""
        return OwnRelay(self, principal)

    def _askable(self, call: ToolCall | None, capability: str) -> LiveCall | None:
        """The call whose client can be asked such a thing."""
        live = None if call is None else self._live.get(call.id)
        if live is None or getattr(live.ctx.session.client_capabilities, capability, None) is None:
            return None
        if live.ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return None if live.suspended is None else live
        return live if live.ctx.session.can_send_request else None


@dataclass(frozen=True)
class OwnRelay(SilentObserver):
    """What is said over one principal's own connection goes to that principal."""

    relay: Relay
    principal: str

    def log(self, server: str, level: str, text: str) -> None:
        self.relay.log(server, level, text, self.principal)

    def resource_updated(self, server: str, uri: str) -> None:
        self.relay.resource_updated(server, uri, self.principal)

    def lists_changed(self, server: str) -> None:
        self.relay.lists_changed_for(self.principal)


async def _answer(live: LiveCall, request: Any, kind: type[_Answer]) -> _Answer | None:
    """None where the client refused, left, did not answer in time, or answered something else."""
    if live.suspended is None:
        return await _request(live.ctx, request, kind)
    answer = await live.suspended.ask(request)
    return answer if isinstance(answer, kind) else None


async def _request(ctx: Context, request: Any, kind: Any) -> Any:
    with anyio.move_on_after(WAIT_FOR_PERSON):
        try:
            metadata = ServerMessageMetadata(related_request_id=ctx.request_id)
            return await ctx.session.send_request(request, kind, metadata=metadata)
        except (MCPError, NoBackChannelError):
            return None
    return None


def _elicit_request(request: Elicitation) -> t.ElicitRequest:
    if request.mode == "url":
        params = {"mode": "url", "message": request.message, "url": request.url, "elicitationId": request.url}
        return t.ElicitRequest(params=t.ElicitRequestURLParams.model_validate(params))
    schema = dict(request.schema)
    return t.ElicitRequest(params=t.ElicitRequestFormParams(message=request.message, requested_schema=schema))
