"""Takes a question of the gate to the person and back, for the agent's calls and for the person's own."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from mewcode.agent.questions import MAX_QUESTIONS
from mewcode.calls import Answer, ErrorKind, Question, ToolCall, ToolResult
from mewcode.terminal.asking import QuestionPanel, describe_question
from mewcode.terminal.screen import Screen
from mewcode.terminal.transcript import Transcript

if TYPE_CHECKING:
    from mewcode.agent.ports import Gate


class Asker:
    """`notify` is told that somebody waits for the person; `interrupt` stops the agent's turn."""

    def __init__(
        self, screen: Screen, transcript: Transcript, notify: Callable[[str], None], interrupt: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._transcript = transcript
        self._notify = notify
        self._interrupt = interrupt

    async def ask(self, question: Question, *, of_turn: bool = True) -> Answer:
        """The person's answer. Cancelling takes the question off the screen."""
        screen = self._screen
        screen.print(describe_question(question, screen.width, screen.ink))
        self._transcript.add(question.action, question.details)
        panel = QuestionPanel(
            question, lambda: max(0, len(screen.panels) - 1), self._interrupt if of_turn else lambda: None
        )
        screen.show(panel)
        self._notify(question.action)
        try:
            return await asyncio.shield(panel.answer)
        finally:
            panel.done = True
            screen.refresh()

    async def through(self, gate: "Gate", call: ToolCall) -> ToolResult:
        """A call of the person's own through the gate, with as many questions as it asks."""
        outcome = await gate.call(call)
        for _ in range(MAX_QUESTIONS):
            if isinstance(outcome, ToolResult):
                return outcome
            outcome = await gate.call(call, await self.ask(outcome, of_turn=False))
        if isinstance(outcome, ToolResult):
            return outcome
        return ToolResult.failed(ErrorKind.REFUSED, f"Refused: still not permitted after {MAX_QUESTIONS} answers.")
