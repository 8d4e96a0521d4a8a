"""Something that takes the place of the input line while it waits for the person: a question, a form, a choice."""

import time
from abc import ABC, abstractmethod

from mewcode.terminal.live import Fragments

ARMED_AFTER = 0.4
"""Seconds without a key after which a panel takes keys: whoever was typing when it came up did not mean to answer."""


class Panel(ABC):
    """`fragments` draws it. `key` gets each key; `typing` says that keys are text for its own line."""

    typing = False

    def __init__(self) -> None:
        self.last_key = time.monotonic()
        self.text = ""
        self.done = False

    @property
    def armed(self) -> bool:
        return time.monotonic() - self.last_key >= ARMED_AFTER

    @abstractmethod
    def fragments(self, width: int) -> Fragments: ...

    @abstractmethod
    def key(self, key: str) -> None:
        """`key` is a character, or one of enter, escape, up, down, backspace, tab, left, right."""
        ...

    def cancel(self) -> None:
        """The person turned away (Escape, interrupt, the end of the session)."""
        self.key("escape")
