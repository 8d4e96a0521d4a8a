"""The input line: text of several lines, history, pastes, and what Enter means."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.filters import Condition

from mewcode.terminal.history import open_history
from mewcode.terminal.pastes import Pastes

if TYPE_CHECKING:
    from mewcode.calls import Image

Submit: TypeAlias = "Callable[[str, tuple[Image, ...]], None]"


class Composer:
    """Holds the buffer. `submit` is called with the whole message, pastes expanded, and its pictures."""

    def __init__(self, history: Path | None, completer: Completer, submit: Submit) -> None:
        self._submit = submit
        self._pastes = Pastes()
        self.buffer = Buffer(
            multiline=True,
            history=open_history(history),
            completer=completer,
            complete_while_typing=Condition(lambda: self.text.startswith("/") or "@" in self.text),
            enable_history_search=True,
            tempfile_suffix=".md",
            name="input",
        )

    @property
    def text(self) -> str:
        return self.buffer.text

    def enter(self) -> None:
        """Sends, or starts a new line after a backslash."""
        if self.buffer.document.text_before_cursor.endswith("\\"):
            self.buffer.delete_before_cursor()
            self.buffer.insert_text("\n")
            return
        text = self.buffer.text
        if not text.strip():
            return
        self.buffer.append_to_history()
        self.buffer.reset()
        pastes, self._pastes = self._pastes, Pastes()
        self._submit(pastes.expand(text), pastes.images_in(text))

    def paste(self, text: str) -> None:
        from mewcode.terminal.images import pasted_file

        image = pasted_file(text)
        if image is not None:
            self.attach(image)
        else:
            self.buffer.insert_text(self._pastes.shorten(text))

    def attach(self, image: "Image") -> None:
        """A picture goes along for as long as its placeholder stands in the line."""
        self.buffer.insert_text(f"{self._pastes.hold(image)} ")

    def put(self, text: str) -> None:
        """Puts a message back, before what was typed meanwhile."""
        typed = self.buffer.text
        whole = f"{text}\n{typed}" if typed.strip() else text
        self.buffer.text = whole
        self.buffer.cursor_position = len(whole)

    def clear(self) -> None:
        self.buffer.reset()
