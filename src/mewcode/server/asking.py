"""How a question of the gate gets an answer: none of these waits in the gate, and no answer means no."""

from dataclasses import dataclass
from typing import Any, Protocol

from mcp.server.context import ServerRequestContext

from mewcode.calls import Answer, ErrorKind, Question, ToolCall, ToolResult


@dataclass(frozen=True)
class Asked:
    """A call that stopped at a question, and the request that it came with."""

    ctx: ServerRequestContext[Any, Any]
    call: ToolCall
    question: Question


class Asking(Protocol):
    """`answer` gives the answer, or None where this way is not open to the caller."""

    async def answer(self, asked: Asked) -> Answer | None: ...


def no(question: Question, why: str) -> Answer:
    return Answer(question.id, question.fingerprint, allow=False, comment=why)


def yes(question: Question, by: str) -> Answer:
    return Answer(question.id, question.fingerprint, allow=True, answered_by=by)


def nobody_to_ask(question: Question) -> ToolResult:
    """For callers that can be asked nothing."""
    reasons = "; ".join(question.reasons) or question.decision.reason
    text = (
        f"Refused: {question.action} needs an approval ({reasons}), and this client cannot ask anybody. "
        "Do not look for another way to do the same; tell the user."
    )
    return ToolResult.failed(ErrorKind.REFUSED, text, server=question.server)
