"""The input line: text of several lines, history, pastes, and what Enter means."""

import os
from collections.abc import Callable
from pathlib import Path

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from mewcode.terminal.pastes import Pastes


class Composer:
    """Holds the buffer. `submit` is called with the whole message, pastes expanded."""

    def __init__(self, history: Path | None, completer: Completer, submit: Callable[[str], None]) -> None:
        self._submit = submit
        self._pastes = Pastes()
        self.buffer = Buffer(
            multiline=True,
            history=_history(history),
            completer=completer,
            complete_while_typing=True,
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
        self._submit(self._pastes.expand(text))

    def paste(self, text: str) -> None:
        self.buffer.insert_text(self._pastes.shorten(text))

    def put(self, text: str) -> None:
        """Puts a message back, before what was typed meanwhile."""
        typed = self.buffer.text
        whole = f"{text}\n{typed}" if typed.strip() else text
        self.buffer.text = whole
        self.buffer.cursor_position = len(whole)

    def clear(self) -> None:
        self.buffer.reset()


def _history(path: Path | None) -> History:
    """A file for this user only, in memory where it cannot be had."""
    if path is None:
        return InMemoryHistory()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))
