"""What somebody at a terminal sees of a run while it works: a line for each step, on standard error."""

import json
from collections.abc import Mapping
from typing import Any, TextIO

from mewcode.agent import Event, Notice, QuestionAsked, Refusal, ToolCallFinished, ToolCallStarted, render_clean
from mewcode.messages import message

_LINE = 160


class Progress:
    """Quiet unless `shown`; notices of warning level and refusals are always told, since a script's log wants them."""

    def __init__(self, err: TextIO, *, shown: bool) -> None:
        self._err = err
        self._shown = shown

    def event(self, event: Event) -> None:
        match event:
            case Notice(text, level) if self._shown or level.value != "info":
                self.note(text)
            case ToolCallStarted(_, tool, _, arguments) if self._shown:
                self.note(f"> {tool} {_short(arguments)}")
            case ToolCallFinished(_, tool, result, _, seconds) if self._shown and result.is_error:
                self.note(f"  {tool}: {result.error.message if result.error else result.text} ({seconds:.1f} s)")
            case QuestionAsked(question) if self._shown:
                self.note(message("headless.refused_live", action=question.action))
            case _:
                return

    def refusals(self, refusals: tuple[Refusal, ...]) -> None:
        for refusal in refusals:
            self.note(message("headless.refusal", tool=refusal.tool, reason=refusal.reason))

    def note(self, text: str) -> None:
        line = " ".join(render_clean(text).split())
        self._err.write((line if len(line) <= _LINE * 3 else line[: _LINE * 3] + "…") + "\n")
        self._err.flush()


def _short(arguments: Mapping[str, Any]) -> str:
    text = json.dumps(dict(arguments), ensure_ascii=False, default=str)
    return text if len(text) <= _LINE else text[:_LINE] + "…"
