"""Questions of the gate on their way to somebody who can answer, and the answers on their way back."""

import time
from collections.abc import Awaitable, Callable

import anyio

from mewcode.agent.events import Event, QuestionAsked
from mewcode.agent.ports import Gate
from mewcode.calls import Answer, ErrorKind, Question, ToolCall, ToolResult

Emit = Callable[[Event], Awaitable[None]]

MAX_QUESTIONS = 4
"""A call is asked about, confirmed a second time, and perhaps asked again because a question lapsed; never more."""

MAX_WAIT = 3_600.0
"""Seconds; the gate's own expiry normally ends the wait earlier."""


class Questions:
    """Asks one question at a time, and waits for its answer until it expires."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._one_at_a_time = anyio.Lock()
        self._open: dict[str, tuple[anyio.Event, list[Answer]]] = {}

    def answer(self, question_id: str, answer: Answer) -> bool:
        """False when nobody waits for that answer (any more)."""
        waiting = self._open.get(question_id)
        if waiting is None or waiting[1]:
            return False
        waiting[1].append(answer)
        waiting[0].set()
        return True

    async def through(self, gate: Gate, call: ToolCall) -> ToolResult:
        """Takes `call` through the gate, with as many questions as it asks."""
        outcome = await gate.call(call)
        for _ in range(MAX_QUESTIONS):
            if isinstance(outcome, ToolResult):
                return outcome
            outcome = await gate.call(call, await self._ask(outcome))
        if isinstance(outcome, ToolResult):
            return outcome
        return ToolResult.failed(ErrorKind.REFUSED, f"Refused: still not permitted after {MAX_QUESTIONS} answers.")

    async def _ask(self, question: Question) -> Answer:
        async with self._one_at_a_time:
            answered, answers = self._open[question.id] = (anyio.Event(), [])
            try:
                await self._emit(QuestionAsked(question))
                with anyio.move_on_after(min(MAX_WAIT, max(0.0, question.expires_at - time.time()))):
                    await answered.wait()
            finally:
                del self._open[question.id]
        if answers:
            return answers[0]
        return Answer(question.id, question.fingerprint, allow=False, comment="Nobody answered in time.")
