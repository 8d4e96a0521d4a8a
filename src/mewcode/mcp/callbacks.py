"""The SDK's callbacks, turned into the connection's hooks; in the new era `input_required` comes through here too."""

import json

import mcp_types as t
from mcp.client.session import ClientRequestContext, IncomingMessage
from pydantic import FileUrl

from mewcode.mcp.hooks import Hooks
from mewcode.mcp.ports import Elicitation, ElicitationAnswer, SamplingAnswer, SamplingRequest
from mewcode.mcp.shapes import as_object


class Callbacks:
    def __init__(self, hooks: Hooks) -> None:
        self._hooks = hooks

    async def message(self, message: IncomingMessage) -> None:
        """Every notification, and what the transport could not read."""
        if isinstance(message, t.ToolListChangedNotification):
            self._hooks.tools_changed()
        elif isinstance(message, t.PromptListChangedNotification | t.ResourceListChangedNotification):
            self._hooks.lists_changed()
        elif isinstance(message, t.ResourceUpdatedNotification):
            self._hooks.resource_updated(str(message.params.uri))
        elif isinstance(message, Exception):
            self._hooks.noise(f"it sent what is no message: {str(message)[:160]}")

    async def log(self, params: t.LoggingMessageNotificationParams) -> None:
        text = params.data if isinstance(params.data, str) else json.dumps(params.data, ensure_ascii=False, default=str)
        await self._hooks.log(params.level, f"{params.logger}: {text}" if params.logger else text)

    async def elicit(
        self, context: ClientRequestContext, params: t.ElicitRequestParams
    ) -> t.ElicitResult | t.ErrorData:
        answer = await self._hooks.elicit(_elicitation(self._hooks.server, params))
        return _elicit_result(answer, params)

    async def sample(
        self, context: ClientRequestContext, params: t.CreateMessageRequestParams
    ) -> t.CreateMessageResult | t.ErrorData:
        if params.tools:
            return t.ErrorData(code=t.INVALID_PARAMS, message="Sampling with tools is not supported")
        answer = await self._hooks.sample(_sampling(self._hooks.server, params))
        if answer is None:
            return t.ErrorData(code=-1, message="The user refused the sampling request")
        return _sampling_result(answer)

    async def roots(self, context: ClientRequestContext) -> t.ListRootsResult:
        folders = self._hooks.roots()
        return t.ListRootsResult(roots=[t.Root(uri=FileUrl(root.as_uri()), name=root.name) for root in folders])


def _elicitation(server: str, params: t.ElicitRequestParams) -> Elicitation:
    if isinstance(params, t.ElicitRequestURLParams):
        return Elicitation(server, params.message, "url", url=params.url)
    wire = params.model_dump(by_alias=True, mode="json", exclude_none=True)
    return Elicitation(server, params.message, "form", schema=as_object(wire.get("requestedSchema")))


def _elicit_result(answer: ElicitationAnswer, params: t.ElicitRequestParams) -> t.ElicitResult:
    if answer.action != "accept" or isinstance(params, t.ElicitRequestURLParams):
        return t.ElicitResult(action=answer.action)
    return t.ElicitResult(action="accept", content=dict(answer.content or {}))


def _sampling(server: str, params: t.CreateMessageRequestParams) -> SamplingRequest:
    return SamplingRequest(
        server=server,
        messages=[message.model_dump(by_alias=True, mode="json", exclude_none=True) for message in params.messages],
        system_prompt=params.system_prompt,
        max_tokens=params.max_tokens,
        temperature=params.temperature,
        stop_sequences=tuple(params.stop_sequences or ()),
    )


def _sampling_result(answer: SamplingAnswer) -> t.CreateMessageResult:
    return t.CreateMessageResult(
        role="assistant", content=t.TextContent(text=answer.text), model=answer.model, stop_reason=answer.stop_reason
    )
