"""Servers' requests to our language model (MCP sampling): through the gate, then to the model of the session."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from mewcode.app.asked import Ask, through
from mewcode.calls import Effects, ErrorKind, Json, Origin, Principal, Text, ToolCall, ToolResult, Trust
from mewcode.errors import LimitReachedError
from mewcode.governance import Gate
from mewcode.mcp import SamplingAnswer, SamplingRequest
from mewcode.mcp.shapes import as_list, as_object
from mewcode.models import Finished, LanguageModel, ModelInput
from mewcode.tools import Tool

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

MOST_TOKENS = 8_192
"""Tokens of one answer, whatever the server asks for: it is the user who pays."""
LONGEST = 300.0
"""Seconds that the model gets for an answer."""
_STOP_REASONS = {"stop": "endTurn", "length": "maxTokens"}


class Lender(Protocol):
    """An agent, as far as it lends its model."""

    @property
    def model(self) -> LanguageModel: ...

    def check_limits(self) -> None:
        """Raises LimitReachedError."""
        ...

    def count(self, finished: Finished) -> None: ...


class SessionModels:
    """Whose model each open session uses; the agents' builder tells."""

    def __init__(self) -> None:
        self._lenders: dict[str, Lender] = {}

    def use(self, session: str, lender: Lender) -> None:
        self._lenders[session] = lender

    def of(self, session: str) -> Lender | None:
        return self._lenders.get(session)


class SampleModel(Tool):
    """What a server's request is to the gate: a call of this tool. A model that calls it by itself is refused."""

    name = "sample_model"
    description = "How MCP servers ask the language model of the session. Not to be called by a model."
    deferred = True
    called_unseen = True
    effects = Effects(network=True)
    main_argument = "server"
    parameters: Mapping[str, Json] = {
        "type": "object",
        "properties": {
            "server": {"type": "string"},
            "system_prompt": {"type": "string"},
            "messages": {"type": "array", "items": {"type": "object"}},
            "max_tokens": {"type": "integer"},
        },
        "required": ["server", "messages", "max_tokens"],
    }

    def __init__(self, models: SessionModels) -> None:
        self._models = models
        self.open: set[str] = set()
        """Ids of the calls that stand for a server's request."""

    def deadline(self, arguments: Mapping[str, Json]) -> float:
        return LONGEST

    async def execute(self, call: ToolCall) -> ToolResult:
        if call.id not in self.open:
            return ToolResult.failed(ErrorKind.REFUSED, f"{self.name} is for MCP servers' requests only.")
        lender = self._models.of(call.session)
        if lender is None:
            return ToolResult.failed(ErrorKind.TOOL_ERROR, "This session has no language model.")
        try:
            lender.check_limits()
        except LimitReachedError as error:
            return ToolResult.failed(ErrorKind.REFUSED, str(error))
        request = ModelInput(
            messages=history_of(call.arguments["messages"]),
            system=call.arguments.get("system_prompt") or "",
            max_tokens=min(max(1, call.arguments["max_tokens"]), MOST_TOKENS),
        )
        model, finished = lender.model, None
        async for event in model.stream(request):
            if isinstance(event, Finished):
                finished = event
                lender.count(finished)
        if finished is None:
            return ToolResult.failed(ErrorKind.TOOL_ERROR, "The model gave no answer.")
        structured = {"model": model.name, "stop_reason": _STOP_REASONS.get(finished.finish, finished.finish)}
        origin = Origin(self.name, call.arguments["server"])
        return ToolResult((Text(finished.response.text or ""),), structured, origin=origin, trust=Trust.OWN)


class GatedSampling:
    """The servers' port. A request is asked about, unless a rule on `sample_model(SERVER)` allows it; where nobody can
    be asked, it is refused. `gate` and `ask` belong to the app."""

    def __init__(self, tool: SampleModel, gate: Gate, ask: Ask | None) -> None:
        self._tool = tool
        self._gate = gate
        self._ask = ask

    async def create(self, request: SamplingRequest, call: ToolCall | None) -> SamplingAnswer | None:
        """None refuses: also a request that comes outside of any call, since it is nobody's."""
        if call is None:
            return None
        arguments = {
            "server": request.server,
            "messages": [dict(message) for message in request.messages],
            "max_tokens": request.max_tokens,
        }
        if request.system_prompt:
            arguments["system_prompt"] = request.system_prompt
        own = ToolCall(self._tool.name, arguments, call.session, _asker(call), parent=call.id)
        self._tool.open.add(own.id)
        try:
            result = await through(self._gate, own, self._ask)
        finally:
            self._tool.open.discard(own.id)
        answered = as_object(result.structured)
        if result.is_error or not answered:
            return None
        return SamplingAnswer(result.text, answered["model"], answered["stop_reason"])


def _asker(call: ToolCall) -> Principal:
    """In whose name a server asks: of whoever called the server."""
    return call.principal


def history_of(messages: list[Mapping[str, Json]]) -> "list[ModelMessage]":
    """The specification's messages as the model takes them. What is not text is named, not sent."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    history: list[ModelMessage] = []
    for message in messages:
        text = _text_of(message.get("content"))
        assistant = message.get("role") == "assistant"
        history.append(
            ModelResponse(parts=[TextPart(text)]) if assistant else ModelRequest(parts=[UserPromptPart(text)])
        )
    return history


def _text_of(content: Json) -> str:
    return "\n".join(_block(as_object(block)) for block in as_list(content) or [content])


def _block(block: Mapping[str, Json]) -> str:
    if block.get("type") == "text":
        return str(block.get("text", ""))
    return f"[{block.get('type', 'something unknown')}: not passed on]"
