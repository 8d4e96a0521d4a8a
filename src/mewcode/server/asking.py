"""How a question of the gate gets an answer. Nothing here waits inside the gate, and no answer means no."""

import json
import time
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, cast

import anyio
import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mewcode.calls import Answer, ErrorKind, Question, QuestionKind, ToolCall, ToolResult
from mewcode.governance.labels import made_visible
from mewcode.server.approvals import ApprovalBook
from mewcode.server.gateway.rounds import QUESTION, upstream_state

Context: TypeAlias = ServerRequestContext[Any, Any]

FIELD = "approve"
"""The one field of the form."""
_LONGEST_MESSAGE = 4_000


@dataclass(frozen=True)
class Asked:
    """A call that stopped at a question, and the request that it came with."""

    ctx: Context
    call: ToolCall
    question: Question
    earlier: Answer | None = None
    """The answer to the question before this one, of the same call."""


Reply: TypeAlias = Answer | ToolResult | t.InputRequiredResult


class Way(Protocol):
    """Gives an answer, or what the client gets instead of one; None where this way is not open to the caller."""

    async def ask(self, asked: Asked) -> Reply | None: ...


class Elicitation:
    """Old era: the client is asked at once, over its own connection, as long as the question stands."""

    async def ask(self, asked: Asked) -> Reply | None:
        ctx, question = asked.ctx, asked.question
        if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS or not _elicits(ctx) or not ctx.session.can_send_request:
            return None
        result: t.ElicitResult | None = None
        with anyio.move_on_after(max(0.0, question.expires_at - time.time())):
            try:
                result = await ctx.session.elicit_form(_message(question), _form(question), ctx.request_id)
            except NoBackChannelError:
                return None
            except MCPError:
                return no(question, "the client could not ask")
        return _answer(question.id, question.fingerprint, result, asked.call.principal.name)


class InputRequired:
    """2026-07-28: the call ends here, and comes again with the answer, on whichever replica. The state that goes along
    is sealed by the SDK's boundary, and the gate takes each question once."""

    async def ask(self, asked: Asked) -> Reply | None:
        ctx, question = asked.ctx, asked.question
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS or not _elicits(ctx):
            return None
        form = t.ElicitRequestFormParams(message=_message(question), requested_schema=_form(question))
        carried = upstream_state(asked.call.round)
        state = json.dumps({"question": question.id, "fingerprint": question.fingerprint, **carried})
        return t.InputRequiredResult(input_requests={QUESTION: t.ElicitRequest(params=form)}, request_state=state)


class PendingApproval:
    """Everybody else: another person decides, and the client calls again."""

    def __init__(self, book: ApprovalBook) -> None:
        self._book = book

    async def ask(self, asked: Asked) -> Reply | None:
        question, earlier = asked.question, asked.earlier
        if earlier is not None and earlier.allow and earlier.fingerprint == question.fingerprint:
            return yes(question, earlier.answered_by)  # another person saw the whole call: that is both
        decided = await self._book.use(question)
        if decided is not None:
            if decided.decision == "granted":
                return yes(question, decided.by or "")
            return no(question, decided.comment or f"{decided.by} said no")
        approval = await self._book.ask(question, asked.call.principal)
        if approval is None:
            return no(question, "too many of your calls wait for an approval already")
        minutes = max(1, round((approval.expires_at - time.time()) / 60))
        text = (
            f"Not run yet: {question.action} waits for an approval ({'; '.join(question.reasons)}). Somebody who may "
            f"approve runs `mewcode approvals grant {approval.id}` within {minutes} minutes; then call again with "
            "exactly the same arguments. Tell the user; do not look for another way to do the same."
        )
        return ToolResult.failed(
            ErrorKind.REFUSED, text, server=question.server, meta={"mewcode/approval": approval.id}
        )


def answer_in(params: t.InputResponseRequestParams, by: str) -> Answer | None:
    """The answer that a repeated call of the 2026-07-28 era brings along. None where it brings none of ours."""
    if params.request_state is None:
        return None
    try:
        state: Any = json.loads(params.request_state)
    except ValueError:
        return None
    if not isinstance(state, dict) or "question" not in state:
        return None
    named = cast("dict[str, Any]", state)
    given = (params.input_responses or {}).get(QUESTION)
    result = given if isinstance(given, t.ElicitResult) else None
    return _answer(str(named["question"]), str(named.get("fingerprint")), result, by)


def no(question: Question, why: str) -> Answer:
    return Answer(question.id, question.fingerprint, allow=False, comment=why)


def yes(question: Question, by: str) -> Answer:
    return Answer(question.id, question.fingerprint, allow=True, answered_by=by)


def nobody_to_ask(question: Question) -> ToolResult:
    """For callers that can be asked nothing."""
    text = (
        f"Refused: {question.action} needs an approval ({'; '.join(question.why)}), and this client cannot ask "
        "anybody. Do not look for another way to do the same; tell the user."
    )
    return ToolResult.failed(ErrorKind.REFUSED, text, server=question.server)


def _elicits(ctx: Context) -> bool:
    capabilities = ctx.session.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


def _answer(question: str, fingerprint: str, result: t.ElicitResult | None, by: str) -> Answer:
    allow = result is not None and result.action == "accept" and (result.content or {}).get(FIELD) is True
    comment = None if allow else "nobody answered" if result is None else "the user said no"
    return Answer(question, fingerprint, allow=allow, comment=comment, answered_by=by)


def _message(question: Question) -> str:
    second = question.kind is QuestionKind.CONFIRMATION
    head = "Confirm a risky call" if second else "A call needs your approval"
    text = f"{head}: {question.action}\nBecause: {'; '.join(question.reasons)}\n\n{question.details}"
    return made_visible(text)[:_LONGEST_MESSAGE]


def _form(question: Question) -> dict[str, Any]:
    title = "Yes, really" if question.kind is QuestionKind.CONFIRMATION else "Allow this call"
    return {
        "type": "object",
        "properties": {FIELD: {"type": "boolean", "title": title, "default": False}},
        "required": [FIELD],
    }
