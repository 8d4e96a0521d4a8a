"""A list to choose from, by arrow keys, number or letter."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mewcode.messages import message
from mewcode.terminal.live import Fragments
from mewcode.terminal.panel import Panel
from mewcode.terminal.width import cut, pad

if TYPE_CHECKING:
    from mewcode.terminal.face import Face

ROWS = 8


@dataclass(frozen=True)
class Option:
    """`value` is what is returned; `text` is shown, with `about` dimmed behind it."""

    value: str
    text: str
    about: str = ""


class ChoicePanel(Panel):
    """`chosen` becomes the value that was chosen, None when the person turned away. Typing narrows the list.

    `wanted` says that the person asked for the list; one that comes by itself waits for a pause in typing. `current` is
    what holds now: it is marked, and chosen first.
    """

    def __init__(
        self, title: str, options: Sequence[Option], *, wanted: bool = True, current: str | None = None
    ) -> None:
        super().__init__()
        self.focused = wanted  # what the person asked for takes keys at once
        self.typing = True
        self.chosen: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._title = title
        self._options = tuple(options)
        self._current = current
        self._index = next((index for index, one in enumerate(options) if one.value == current), 0)

    def key(self, key: str) -> None:
        shown = self._shown()
        if key == "escape":
            self._finish(None)
        elif key in ("up", "down") and shown:
            self._index = (self._index + (1 if key == "down" else -1)) % len(shown)
        elif key == "enter" and shown:
            self._finish(shown[min(self._index, len(shown) - 1)].value)
        elif key == "backspace":
            self.text, self._index = self.text[:-1], 0
        elif key not in ("enter", "up", "down", "left", "right", "tab"):
            self.text, self._index = self.text + key, 0

    def lines(self) -> str:
        rows = [f"  {number} {one.text}  {one.about}".rstrip() for number, one in enumerate(self._shown(), 1)]
        return "\n".join([self._title, *rows, message("terminal.choice_line")])

    def line(self, text: str) -> None:
        """A number of the list, nothing to turn away, or words that narrow it."""
        shown = self._shown()
        if text.isdigit() and 1 <= int(text) <= len(shown):
            self._finish(shown[int(text) - 1].value)
        elif not text:
            self._finish(None)
        else:
            self.text = text
            found = self._shown()
            if len(found) == 1:
                self._finish(found[0].value)
            elif not found:
                self.text = ""

    def fragments(self, width: int) -> Fragments:
        pieces: Fragments = [("class:accent bold", self._title), ("", f"  {self.text}"), ("", "\n")]
        shown = self._shown()
        first = max(0, min(self._index - ROWS + 2, len(shown) - ROWS))
        window = shown[first : first + ROWS]
        column = min(max((len(one.text) for one in window), default=0) + 4, width * 2 // 3)
        for index, one in enumerate(window, first):
            chosen = index == self._index
            text = f"{one.text} ●" if one.value == self._current else one.text
            text = cut(text, max(8, (column if one.about else width) - 2))
            pieces.append(("class:accent bold" if chosen else "", ("▸ " if chosen else "  ") + pad(text, column)))
            pieces += [("class:dim", cut(one.about, max(0, width - column - 4))), ("", "\n")]
        below = len(shown) - first - len(window)
        if below:
            pieces += [("class:dim", message("terminal.more_below", count=below)), ("", "\n")]
        keys = message("terminal.choice_keys" if self.armed else "terminal.hold_on")
        return [*pieces, ("class:dim", cut(keys, width - 1)), ("", "\n")]

    def _shown(self) -> list[Option]:
        wanted = self.text.casefold().split()
        return [one for one in self._options if all(word in f"{one.text} {one.about}".casefold() for word in wanted)]

    def _finish(self, value: str | None) -> None:
        self.done = True
        if not self.chosen.done():
            self.chosen.set_result(value)


async def choose(
    screen: "Face", title: str, options: Sequence[Option], *, wanted: bool = True, current: str | None = None
) -> str | None:
    """Asks the person to choose one; None when they turned away."""
    return await screen.answer_of(panel := ChoicePanel(title, options, wanted=wanted, current=current), panel.chosen)


async def ask_text(screen: "Face", title: str, *, hidden: bool = False) -> str | None:
    """Asks for a line of text; None when the person turned away."""
    return await screen.answer_of(panel := TextPanel(title, hidden=hidden), panel.given)


class TextPanel(Panel):
    """One line of text; `hidden` shows dots, for keys. `given` is None when the person turned away."""

    def __init__(self, title: str, *, hidden: bool = False) -> None:
        super().__init__()
        self.focused = self.typing = True
        self.given: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._title = title
        self.hidden = hidden

    def key(self, key: str) -> None:
        if key == "escape":
            self._finish(None)
        elif key == "enter":
            self._finish(self.text.strip() or None)
        elif key == "backspace":
            self.text = self.text[:-1]
        elif key not in ("up", "down", "left", "right", "tab"):
            self.text += key

    def lines(self) -> str:
        return self._title

    def fragments(self, width: int) -> Fragments:
        shown = "•" * min(len(self.text), 24) if self.hidden else self.text
        return [("class:accent bold", f"{self._title} "), ("", shown), ("reverse", " "), ("", "\n")]

    def _finish(self, value: str | None) -> None:
        self.done = True
        if not self.given.done():
            self.given.set_result(value)
