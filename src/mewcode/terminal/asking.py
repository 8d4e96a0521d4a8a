"""The gate's questions as panels: what would happen, why it is asked, and the keys that answer."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from prompt_toolkit.utils import get_cwidth

from mewcode.calls import Answer, Question, QuestionKind, Remember
from mewcode.messages import message, reason_shown
from mewcode.terminal.cleaning import bare, bare_line
from mewcode.terminal.diffs import paint_diff
from mewcode.terminal.ink import Ink
from mewcode.terminal.live import Fragments
from mewcode.terminal.panel import Panel
from mewcode.terminal.places import at_home, place_of
from mewcode.terminal.width import cut, fold, hang, wrap

LAPSING_SECONDS = 60
"""From then on a question says how long it is still good for: a clock that always runs would only disturb."""
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
        title, action = f"{message(code)}{more}", bare_line(question.action)
        pieces: Fragments = [("class:warn bold", wrap(title, width))]
        if self._confirms:
            pieces += [("bold", "\n" + hang(cut(action, width * 2 - 12), "  ", width))]
        else:  # the whole of it stands right above
            pieces += [("bold", "  " + cut(action, max(8, width - get_cwidth(title) - 3)))]
        pieces += [("", "\n")]
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
        hints = [message("terminal.question_keys")]
        hints.append(message("terminal.escape_stops" if self._interrupt else "terminal.escape_refuses"))
        seconds = max(0, int(self.question.expires_at - time.time()))
        if seconds < LAPSING_SECONDS:
            hints.append(message("terminal.lapses", seconds=seconds))
        return [*pieces, ("class:dim", hang(fold(hints, width - 3), "  ", width)), ("", "\n")]


def _choices(question: Question) -> tuple[Choice, ...]:
    suggestion = question.suggestion
    choices: list[Choice] = [
        ("y", message("terminal.yes_once"), True, Remember.ONCE),
        ("s", message("terminal.yes_session"), True, Remember.SESSION),
    ]
    if suggestion is not None:
        says = message("terminal.yes_always", rule=bare_line(suggestion.rule), file=at_home(Path(suggestion.file)))
        choices.append(("a", says, True, Remember.ALWAYS))
    choices.append(("n", message("terminal.no"), False, Remember.ONCE))
    choices.append(("c", message("terminal.no_comment"), False, Remember.ONCE))
    return tuple(choices)


def describe_question(question: Question, width: int, ink: Ink, *, known: bool = False) -> str:
    """What is printed above the panel and stays: the whole of what would happen, and why it is asked. Every line of it
    stands behind a bar, so that no text in it can be taken for anything else. `known` says that the same call stands
    right above, where it was asked about before: then only the new reasons are told."""
    lines: list[str] = []
    if not known:
        action, details = _said_once(bare_line(question.action), bare(question.details))
        lines += _wrapped(action, width, ink, "bold")
        if question.server:
            lines += _wrapped(message("terminal.from_server", server=bare_line(question.server)), width, ink, None)
        lines += _cut(_details(details, width, ink), ink)
    for reason in question.why:
        lines += _wrapped(message("terminal.why", reason=bare_line(reason_shown(reason))), width, ink, "warn")
    if question.decision.rule and not known:
        rule = message("terminal.rule", rule=question.decision.rule, source=place_of(question.decision.source))
        lines += _wrapped(bare(rule), width, ink, "dim")
    bar = ink.paint("┃ ", "warn")
    return "\n".join([*([] if known else [""]), *(bar + line for line in lines)])


def _said_once(action: str, details: str) -> tuple[str, str]:
    """The headline and the details without what both say: a command in one line is the headline, and what it runs is
    listed only where that is not the command itself; one in several lines stands in the details alone."""
    name, _, main = action.partition(" ")
    lines = details.split("\n")
    for count in range(1, len(lines) + 1):
        said = " ".join(" ".join(lines[:count]).split())
        if main.endswith("…") and said.startswith(main[:-1]):
            return name, details
        if main and said == main:
            rest = [line for line in lines[count:] if line != f"runs: {main}"]
            return (action, "\n".join(rest)) if count == 1 else (name, "\n".join([*lines[:count], *rest]))
    return action, details


def _details(text: str, width: int, ink: Ink) -> list[str]:
    """Nothing for a call without arguments. A diff is painted, its long lines cut; all else is wrapped."""
    head, marker, diff = text.partition("\n--- ")
    if not marker:
        return [] if text.strip() in ("", "{}") else _wrapped(text.expandtabs(4), width, ink, None)
    lines = [line for line in diff.splitlines()[1:] if not line.startswith("+++ ")]
    return [*_wrapped(head, width, ink, None), *paint_diff(lines, width - 3, ink, most=None).splitlines()]


def _cut(details: list[str], ink: Ink) -> list[str]:
    if len(details) <= DETAIL_LINES:
        return details
    left = len(details) - DETAIL_LINES
    return [*details[:DETAIL_LINES], ink.paint(message("terminal.details_cut", lines=left), "warn")]


def _wrapped(text: str, width: int, ink: Ink, meaning: str | None) -> list[str]:
    lines = wrap(text, width - 4, hard=True).split("\n")
    return [ink.paint(line, meaning) for line in lines] if meaning else lines
