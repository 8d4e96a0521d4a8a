"""Rounds of a call: what a server of the new era asks goes on to whoever can answer it, who then calls again.

No SDK here. Elsewhere such questions are answered by the callbacks, within the call.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mewcode.calls import Round
from mewcode.mcp.errors import RpcError
from mewcode.mcp.shapes import as_object

CAPABILITIES = "mewcode/capabilities"
"""In `_meta` of a request on its way out: what this request's client can be asked, instead of what MewCode can."""
_DECLARED_AS = "io.modelcontextprotocol/clientCapabilities"
_NEEDED: Mapping[str, str] = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}
NOT_ALLOWED = -33023
"""Our error code for an answer that asks the client what it cannot, or may not, be asked."""


def bounded(asked: Round, *, elicits: bool, samples: bool) -> Round:
    """The round with those capabilities that the server may make use of."""
    allowed = {"elicitation": elicits, "sampling": samples, "roots": True}
    declared = {name: value for name, value in asked.capabilities.items() if allowed.get(name, False)}
    return replace(asked, capabilities=declared)


def parameters(asked: Round) -> dict[str, Any]:
    """What the round adds to the parameters of a request."""
    given = {"inputResponses": asked.responses, "requestState": asked.state}
    meta = {"_meta": {CAPABILITIES: dict(asked.capabilities)}}
    return {key: value for key, value in given.items() if value is not None} | meta


def declared(params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a request that goes out, with the capabilities of its own client."""
    meta = dict(as_object(params.get("_meta")))
    if CAPABILITIES not in meta:
        return dict(params)
    return {**params, "_meta": {**meta, _DECLARED_AS: meta.pop(CAPABILITIES)}}


def wants_input(answer: Mapping[str, Any]) -> bool:
    return answer.get("resultType") == "input_required"


def checked(answer: Mapping[str, Any], asked: Round) -> Mapping[str, Any]:
    """The answer; raises RpcError where it asks for what was not declared."""
    for key, request in as_object(answer.get("inputRequests") if wants_input(answer) else None).items():
        method = as_object(request).get("method")
        if _NEEDED.get(str(method)) not in asked.capabilities:
            raise RpcError(NOT_ALLOWED, f"it asks ({key}) for {method}, which this client does not take from it")
    return answer
