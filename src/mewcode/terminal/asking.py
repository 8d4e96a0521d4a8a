"""The gate's questions as panels: what would happen, why it is asked, and the keys that answer."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeAlias

from mewcode.calls import Answer, Question, QuestionKind, Remember
from mewcode.messages import message, reason_shown
from mewcode.terminal.cleaning import bare, bare_line
from mewcode.terminal.diffs import paint_diff
from mewcode.terminal.ink import Ink
from mewcode.terminal.live import Fragments
from mewcode.terminal.panel import Panel
from mewcode.terminal.width import cut, hang, wrap

DETAIL_LINES = 60
"""Lines of a question's details that are printed; Ctrl+O shows the rest."""
_CONFIRMING_WORD = "yes"

Choice: TypeAlias = tuple[str, str, bool, Remember]
"""Key, what it says, whether it allows, and for how long."""


class QuestionPanel(Panel):
    """Answered once; `answer` is ready then. `interrupt` is called where Escape turns a whole turn away."""

    def __init__(self, question: Question, waiting: Callable[[], int], interrupt: Callable[[], None] | None) -> None:
        super().__init__()
        self.question = question
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting = waiting
        self._interrupt = interrupt
        self._confirms = question.kind is QuestionKind.CONFIRMATION
        self._choices = _choices(question)
        self._chosen = 0
        self.typing = self._confirms
        self._commenting = False

    def takes(self, key: str) -> bool:
        return self.typing or any(key.lower() == choice[0] for choice in self._choices)

    # --- keys ------------------------------------------------------------------------------------------------

    def key(self, key: str) -> None:
        if key == "escape":
            self._escape()
        elif self.typing:
            self._type(key)
        elif key in ("up", "down"):
            self._chosen = (self._chosen + (1 if key == "down" else -1)) % len(self._choices)
        elif key == "enter":
            self._take(self._choices[self._chosen])
        else:
            chosen = next((choice for choice in self._choices if choice[0] == key.lower()), None)
            if chosen is not None:
                self._take(chosen)

    def _escape(self) -> None:
        if self._commenting:
            self.typing = self._commenting = False
            self.text = ""
            return
        self._finish(False)
        if self._interrupt is not None:
            self._interrupt()

    def _type(self, key: str) -> None:
        if key == "enter":
            self._typed()
        elif key == "backspace":
            self.text = self.text[:-1]
        elif len(key) == 1 or not key.isascii():
            self.text += key

    def _typed(self) -> None:
        text = self.text.strip()
        if self._commenting:
            self._finish(False, comment=text or None)
        elif text.lower() == _CONFIRMING_WORD:
            self._finish(True)
        elif text:
            self._finish(False, comment=None if text.lower() in ("n", "no") else text)

    def _take(self, choice: Choice) -> None:
        key, _, allow, remember = choice
        if key == "c":
            self.typing = self._commenting = True
            return
        self._finish(allow, remember)

    def _finish(self, allow: bool, remember: Remember = Remember.ONCE, comment: str | None = None) -> None:
        self.done = True
        if not self.answer.done():
            question = self.question
            self.answer.set_result(
                Answer(question.id, question.fingerprint, allow, remember, comment, question.principal)
            )

    def decline(self) -> None:
        self._finish(False)

    # --- without a screen ----------------------------------------------------------------------------------------

    def lines(self) -> str:
        """What would happen was printed above."""
        code = "terminal.confirm" if self._confirms else "terminal.ask"
        says = [f"{key}: {text}" for key, text, _, _ in self._choices]
        if self._confirms:
            says = [message("terminal.type_yes")]
        return "\n".join([message(code), *(f"  {one}" for one in says)])

    def line(self, text: str) -> None:
        """A key's letter; behind an n or c a comment for the model."""
        key, _, comment = text.strip().partition(" ")
        if self._confirms:
            super().line(text)
        elif key.lower() in ("n", "c") and comment.strip():
            self._finish(False, comment=comment.strip())
        else:
            choice = next((one for one in self._choices if one[0] == key.lower() and not comment), None)
            if choice is not None:
                self._take(choice if choice[0] != "c" else self._choices[-2])

    # --- drawing -----------------------------------------------------------------------------------------------

    def fragments(self, width: int) -> Fragments:
        question = self.question
        code = "terminal.confirm" if self._confirms else "terminal.ask"
        more = f" ({message('terminal.more_waiting', count=self._waiting())})" if self._waiting() else ""
        pieces: Fragments = [("class:warn bold", wrap(f"{message(code)}{more}", width)), ("", "\n")]
        pieces += [("bold", hang(cut(bare_line(question.action), width * 2 - 12), "  ", width)), ("", "\n")]
        if not self.armed:
            return [*pieces, ("class:dim", f"  {message('terminal.hold_on')}"), ("", "\n")]
        if self.typing:
            asked = "terminal.comment" if self._commenting else "terminal.type_yes"
            said = hang(message(asked), "  ", width)
            return [*pieces, ("", f"{said} "), ("class:accent", self.text), ("reverse", " "), ("", "\n")]
        return [*pieces, *self._choice_lines(width)]

    def _choice_lines(self, width: int) -> Fragments:
        pieces: Fragments = []
        for index, (key, says, _, _) in enumerate(self._choices):
            chosen = index == self._chosen
            pieces += [
                ("class:accent bold" if chosen else "", "  ▸ " if chosen else "    "),
                ("class:accent bold", key),
                ("bold" if chosen else "", hang(says, " " * 7, width)[5:]),
                ("", "\n"),
            ]
        seconds = max(0, int(self.question.expires_at - time.time()))
        code = "terminal.question_keys" if self._interrupt else "terminal.own_question_keys"
        return [
            *pieces,
            ("class:dim", cut(f"  {message(code, seconds=seconds)}", width)),
            ("", "\n"),
        ]


def _choices(question: Question) -> tuple[Choice, ...]:
    suggestion = question.suggestion
    choices: list[Choice] = [
        ("y", message("terminal.yes_once"), True, Remember.ONCE),
        ("s", message("terminal.yes_session"), True, Remember.SESSION),
    ]
    if suggestion is not None:
        says = message("terminal.yes_always", rule=bare_line(suggestion.rule), file=suggestion.file)
        choices.append(("a", says, True, Remember.ALWAYS))
    choices.append(("n", message("terminal.no"), False, Remember.ONCE))
    choices.append(("c", message("terminal.no_comment"), False, Remember.ONCE))
    return tuple(choices)


def describe_question(question: Question, width: int, ink: Ink) -> str:
    """What is printed above the panel and stays: the whole of what would happen, and why it is asked. Every line of it
    stands behind a bar, so that no text in it can be taken for anything else."""
    lines = _wrapped(bare_line(question.action), width, ink, "bold")
    if question.server:
        lines += _wrapped(message("terminal.from_server", server=bare_line(question.server)), width, ink, None)
    details = _details(bare(question.details), width, ink)
    if len(details) > DETAIL_LINES:
        left = len(details) - DETAIL_LINES
        details = [*details[:DETAIL_LINES], ink.paint(message("terminal.details_cut", lines=left), "warn")]
    lines += details
    for reason in question.why:
        lines += _wrapped(message("terminal.why", reason=bare(reason_shown(reason))), width, ink, "warn")
    if question.decision.rule:
        rule = message("terminal.rule", rule=question.decision.rule, source=question.decision.source or "-")
        lines += _wrapped(bare(rule), width, ink, "dim")
    bar = ink.paint("┃ ", "warn")
    return "\n".join(["", *(bar + line for line in lines)])


def _details(text: str, width: int, ink: Ink) -> list[str]:
    """Nothing for a call without arguments. A diff is painted, its long lines cut; all else is wrapped."""
    head, marker, diff = text.partition("\n--- ")
    if not marker:
        return [] if text.strip() == "{}" else _wrapped(text.expandtabs(4), width, ink, None)
    lines = [line for line in diff.splitlines()[1:] if not line.startswith("+++ ")]
    return [*_wrapped(head, width, ink, None), *paint_diff(lines, width - 3, ink, most=None).splitlines()]


def _wrapped(text: str, width: int, ink: Ink, meaning: str | None) -> list[str]:
    lines = wrap(text, width - 4, hard=True).split("\n")
    return [ink.paint(line, meaning) for line in lines] if meaning else lines
