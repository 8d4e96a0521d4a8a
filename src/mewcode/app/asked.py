"""Calls that no model made, and the answer of nobody: what becomes of a question where there is nobody to ask."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from mewcode.calls import Answer, Effect, ErrorKind, Question, QuestionKind, ToolCall, ToolResult
from mewcode.governance import Gate
from mewcode.messages import message, reason_shown

Ask: TypeAlias = Callable[[Question], Awaitable[Answer]]
"""Asks the person."""

MOST_QUESTIONS = 3
"""A call may be asked about, then confirmed; more than that never ends well."""


async def through(gate: Gate, call: ToolCall, ask: Ask | None) -> ToolResult:
    """The result of a call, its questions answered by `ask`; without it a refusal, which the audit holds as well."""
    outcome = await gate.call(call)
    for _ in range(MOST_QUESTIONS):
        if isinstance(outcome, ToolResult):
            return outcome
        if ask is None:
            await gate.call(call, nobodys_answer(outcome))
            return nobody_to_ask(outcome)
        outcome = await gate.call(call, await ask(outcome))
    return outcome if isinstance(outcome, ToolResult) else nobody_to_ask(outcome)


def nobodys_answer(question: Question) -> Answer:
    """No: with what the model is told, and what would have let the call through."""
    way = _way_through(question)
    hint = f" The person can allow it with {way}" if way else ""
    comment = f"there is nobody to ask ({'; '.join(question.why)}).{hint}"
    return Answer(question.id, question.fingerprint, allow=False, comment=comment, answered_by="nobody")


def nobody_to_ask(question: Question) -> ToolResult:
    """The same for a person who made the call and reads its result."""
    text = message("cli.nobody_to_ask", action=question.action, why=why_refused(question))
    return ToolResult.failed(ErrorKind.REFUSED, text, server=question.server)


def why_refused(question: Question) -> str:
    """For people: why it was asked, and the option that would let it run."""
    way = _way_through(question)
    code = "cli.asked_way" if way else "cli.asked_no_way"
    return message(code, reasons="; ".join(map(reason_shown, question.why)), way=way)


def _way_through(question: Question) -> str:
    """The option with its rule; empty where no rule should let the call through.

    A call that the rules allow is asked about for its risk or for what the session has read: that takes a --confirm.
    """
    if question.kind is QuestionKind.CONFIRMATION or question.decision.effect is Effect.ALLOW:
        return f"--confirm '{question.decision.rule or question.tool}'"
    return f"--allow '{question.suggestion.rule}'" if question.suggestion else ""
