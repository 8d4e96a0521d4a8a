"""Takes a question of the gate to the person and back, for the agent's calls and for the person's own."""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mewcode.calls import Answer, Question, ToolCall, ToolResult
    from mewcode.governance import Gate
    from mewcode.terminal.face import Face
    from mewcode.terminal.transcript import Transcript


class Asker:
    """`notify` is told that somebody waits for the person; `interrupt` stops the agent's turn."""

    def __init__(
        self, screen: "Face", transcript: "Transcript", notify: Callable[[str], None], interrupt: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._transcript = transcript
        self._notify = notify
        self._interrupt = interrupt
        self._shown: tuple[str, str, str] | None = None
        """The call that the newest question was about, as it stands on the screen."""

    async def ask(self, question: "Question") -> "Answer":
        """The person's answer to a question about a call of the agent; Escape stops the turn besides."""
        return await self._ask(question, self._interrupt)

    async def ask_own(self, question: "Question") -> "Answer":
        """The same for a call that the agent did not make: Escape only says no."""
        return await self._ask(question, None)

    async def _ask(self, question: "Question", interrupt: Callable[[], None] | None) -> "Answer":
        """Cancelling takes the question off the screen."""
        from mewcode.terminal.asking import QuestionPanel, describe_question

        screen = self._screen
        subject = (question.call_id, question.action, question.details)
        known, self._shown = subject == self._shown, subject
        screen.print(describe_question(question, screen.width, screen.ink, known=known))
        if not known:
            self._transcript.add(question.action, question.details)
        began = time.monotonic()
        panel = QuestionPanel(question, lambda: max(0, len(screen.panels) - 1), interrupt)
        screen.show(panel)
        self._notify(question.action)
        try:
            answer = await asyncio.shield(panel.answer)
            screen.live.answered(question.call_id, time.monotonic() - began, allowed=answer.allow)
            return answer
        finally:
            panel.done = True
            screen.refresh()

    async def through(self, gate: "Gate", call: "ToolCall") -> "ToolResult":
        """A call of the person's own through the gate, with as many questions as it asks."""
        from mewcode.app.asked import through

        return await through(gate, call, self.ask_own)
