"""2026-07-28: what an upstream server asks ends the client's call, and the answers come with the next one.

What the server wants to find again travels with the client, sealed by the SDK's boundary as our own questions are; so
any replica can go on with it.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeAlias, cast

import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from mewcode.calls import ErrorKind, Round, ToolResult

Context: TypeAlias = ServerRequestContext[Any, Any]

QUESTION = "mewcode_approval"
"""The key of our own question among the input requests of a result."""
UPSTREAM = "upstream"
"""In the state that travels: what belongs to the upstream server."""


def round_of(ctx: Context, params: t.InputResponseRequestParams) -> Round | None:
    """What the client brings along for an upstream server. None in the old era, whose clients are asked at once."""
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return None
    capabilities = ctx.session.client_capabilities
    declared = {} if capabilities is None else capabilities.model_dump(by_alias=True, mode="json", exclude_none=True)
    carried = _carried(params.request_state)
    responses = {**_object(carried.get("responses")), **_object((ctx.params or {}).get("inputResponses"))}
    responses.pop(QUESTION, None)
    return Round(declared, carried.get("state"), responses or None)


def upstream_state(asked: Round | None) -> dict[str, Any]:
    """What of a round a question of ours has to carry along, so that it is still there with the answer."""
    if asked is None or (asked.state is None and asked.responses is None):
        return {}
    return {UPSTREAM: {"state": asked.state, "responses": dict(asked.responses or {})}}


def asked_by_upstream(result: ToolResult) -> t.InputRequiredResult | ToolResult:
    """What an upstream server asks as the reply to the client; any other result as it is."""
    wire = result.wire
    if wire is None or wire.get("resultType") != "input_required":
        return result
    state = wire.get("requestState")
    try:
        return t.InputRequiredResult.model_validate(
            {
                "resultType": "input_required",
                "inputRequests": wire.get("inputRequests"),
                "requestState": None if state is None else json.dumps({UPSTREAM: {"state": state}}),
            },
            by_name=False,
        )
    except ValidationError:
        text = f"Server {result.origin.server} asks for something that makes no sense."
        return ToolResult.failed(ErrorKind.TOOL_ERROR, text, server=result.origin.server, origin=result.origin)


def _carried(text: str | None) -> Mapping[str, Any]:
    try:
        return _object(_object(json.loads(text or "{}")).get(UPSTREAM))
    except ValueError:
        return {}


def _object(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
