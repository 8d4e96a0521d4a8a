"""A session line by line: for pipes, dumb terminals and screen readers. No cursor movement, no colour."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Protocol

import anyio
import anyio.to_thread

from mewcode.agent import events
from mewcode.agent.loop import Agent
from mewcode.calls import Answer, Question, Remember
from mewcode.messages import message
from mewcode.terminal.approval import CHOICES, describe

WIDTH = 100
"""Characters of a call's arguments that are shown on its line."""


class Lines(Protocol):
    """Where lines come from: `readline` returns "" at the end, as files do."""

    def readline(self) -> str: ...

    def isatty(self) -> bool: ...


class PlainSession:
    """Reads a message a line, shows what the agent does, and asks what the gate asks."""

    def __init__(
        self,
        agent: Agent,
        notices: Sequence[events.Notice] = (),
        lines: Lines | None = None,
        write: Callable[[str], object] | None = None,
    ) -> None:
        self._agent = agent
        self._notices = notices
        self._lines = lines or sys.stdin
        self._write = write or _to_stdout
        self._midline = False

    async def run(self) -> None:
        """Goes on until the input ends or the person says /exit."""
        for notice in self._notices:
            self._line(notice.text)
        while (text := await self._read(message("terminal.prompt"))) is not None:
            if text.strip() in ("/exit", "/quit"):
                return
            if text.strip():
                await self._turn(text)

    async def _turn(self, text: str) -> None:
        async for event in self._agent.run(text):
            await self._show(event)

    async def _show(self, event: events.Event) -> None:
        match event:
            case events.TextDelta(text):
                self._stream(text)
            case events.ToolCallStarted(_, tool, _, arguments):
                self._line(message("terminal.call", tool=tool, arguments=str(dict(arguments))[:WIDTH]))
            case events.ToolCallFinished(_, tool, result, _, seconds):
                code = "terminal.call_failed" if result.is_error else "terminal.call_done"
                first = next((line for line in result.text.splitlines() if line.strip()), "")[:WIDTH]
                self._line(message(code, tool=tool, seconds=f"{seconds:.1f}", first=first))
            case events.Notice(text, _):
                self._line(text)
            case events.QuestionAsked(question):
                self._agent.answer(question.id, await self._ask(question))
            case events.TurnFinished(_, _, _, _, _, _, error):
                self._line(str(error) if error else "")
            case _:
                pass

    async def _ask(self, question: Question) -> Answer:
        self._line(describe(question))
        left = max(0.0, question.expires_at - time.time())
        with anyio.move_on_after(left):
            while (reply := await self._read(message("terminal.choices"))) is not None:
                key, _, comment = reply.strip().partition(" ")
                if key in CHOICES:
                    allow, remember = CHOICES[key]
                    return _answer(question, allow, remember, comment or None)
        return _answer(question, False, Remember.ONCE, None)

    async def _read(self, prompt: str) -> str | None:
        if self._lines.isatty():
            self._line("")
            self._write(prompt)
        line = await anyio.to_thread.run_sync(self._lines.readline, abandon_on_cancel=True)
        return line.rstrip("\n") if line else None

    def _stream(self, text: str) -> None:
        self._write(text)
        self._midline = not text.endswith("\n")

    def _line(self, text: str) -> None:
        if self._midline:
            self._write("\n")
            self._midline = False
        if text:
            self._write(f"{text}\n")


def _answer(question: Question, allow: bool, remember: Remember, comment: str | None) -> Answer:
    return Answer(question.id, question.fingerprint, allow, remember, comment, question.principal)


def _to_stdout(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
