"""Something that takes the place of the input line while it waits for the person: a question, a form, a choice."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable

from mewcode.terminal.live import Fragments

ARMED_AFTER = 0.4
"""Seconds without a key after which a panel takes keys: whoever was typing when it came up did not mean to answer."""
PLAIN_WIDTH = 1000
"""Cells of a line where the terminal itself wraps."""


class Panel(ABC):
    """`fragments` draws it. `key` gets each key; `typing` says that keys are text for its own line. `focused` says that
    the person turned to it, or asked for it."""

    typing = False

    def __init__(self) -> None:
        self.last_key = time.monotonic()
        self.text = ""
        self.done = False
        self.focused = self.follows = False
        self.writing: Callable[[], bool] = lambda: False
        """Whether there is something in the input line; the screen tells."""

    def come_forward(self) -> None:
        """The panel before this one was answered: a key pressed once too often is not meant for this one."""
        self.last_key, self.follows = time.monotonic(), True

    @property
    def armed(self) -> bool:
        """Whether keys are for the panel. Not while a line is half written, however long the person thinks about it."""
        return self.focused or (not self.writing() and time.monotonic() - self.last_key >= ARMED_AFTER)

    def takes(self, key: str) -> bool:
        """Whether a character means something here; else it is the beginning of a line."""
        return True

    @abstractmethod
    def fragments(self, width: int) -> Fragments: ...

    @abstractmethod
    def key(self, key: str) -> None:
        """`key` is a character, or one of enter, escape, up, down, backspace, tab, left, right."""
        ...

    # --- without a screen ----------------------------------------------------------------------------------------

    hidden = False
    """Whether what is typed must not be seen."""

    def lines(self) -> str:
        """The panel where nothing is drawn: all of it as text."""
        self.focused = True
        return "".join(piece[1] for piece in self.fragments(PLAIN_WIDTH)).rstrip()

    def line(self, text: str) -> None:
        """A whole line that the person typed in answer."""
        self.text = text
        self.key("enter")

    def decline(self) -> None:
        """Nobody is there any more: whatever goes on may go on without."""
        self.cancel()

    def cancel(self) -> None:
        """The person turned away (Escape, interrupt, the end of the session)."""
        self.key("escape")
