"""Calls that no model made: through the gate, with the questions answered by whoever the door puts there."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from mewcode.calls import Answer, ErrorKind, Question, ToolCall, ToolResult
from mewcode.governance import Gate

Ask: TypeAlias = Callable[[Question], Awaitable[Answer]]
"""Asks the person."""

MOST_QUESTIONS = 3
"""A call may be asked about, then confirmed; more than that never ends well."""


async def through(gate: Gate, call: ToolCall, ask: Ask | None) -> ToolResult:
    """The result of a call; a refusal where there is nobody to ask."""
    outcome = await gate.call(call)
    for _ in range(MOST_QUESTIONS):
        if isinstance(outcome, ToolResult):
            return outcome
        if ask is None:
            return _refused(outcome)
        outcome = await gate.call(call, await ask(outcome))
    return outcome if isinstance(outcome, ToolResult) else _refused(outcome)


def _refused(question: Question) -> ToolResult:
    why = "; ".join(question.reasons) or question.decision.reason
    hint = f" A rule allows it: {question.suggestion.rule}" if question.suggestion else ""
    text = f"Refused: {question.action}: nobody is there to ask ({why}).{hint}"
    return ToolResult.failed(ErrorKind.REFUSED, text, server=question.server)
