"""What the session shows itself by: a screen that is drawn, or plain lines. Questions wait in a queue in both."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from typing import TypeVar

from mewcode.terminal.composer import Composer
from mewcode.terminal.ink import Ink
from mewcode.terminal.live import Live
from mewcode.terminal.panel import Panel

_T = TypeVar("_T")


class Face(ABC):
    """`composer` holds what is being written, `live` what goes on. The first of the panels is shown."""

    interactive = True
    """Whether a person may be there who can be asked."""

    echoes = True
    """Whether a message is shown again when it is sent."""

    def __init__(self, composer: Composer, ink: Ink) -> None:
        self.composer = composer
        self.ink = ink
        self.live = Live()
        self.panels: deque[Panel] = deque()

    @property
    @abstractmethod
    def width(self) -> int:
        """Cells of a line."""
        ...

    @property
    def tail_lines(self) -> int:
        """Lines of a growing answer that can be seen."""
        return 0

    @abstractmethod
    async def run(self) -> None:
        """Until `exit`. Raises what was given to `fail`."""
        ...

    @abstractmethod
    def exit(self) -> None: ...

    @abstractmethod
    def fail(self, error: BaseException) -> None: ...

    @abstractmethod
    def print(self, text: str, meaning: str | None = None) -> None:
        """Lines that stay. Only colours of our own should be in `text`, and with a `meaning` none: then it is prose,
        wrapped between its words. Nothing else that a terminal would obey gets through."""
        ...

    @abstractmethod
    def hint(self, text: str, seconds: float = 2.0) -> None:
        """A word for a moment."""
        ...

    @abstractmethod
    def refresh(self) -> None:
        """Something has changed that is shown."""
        ...

    def restyle(self, ink: Ink, *, vi: bool | None = None) -> None:
        """Other colours, and the keys of vi or emacs; None leaves them. Plain lines have neither."""
        if not self.ink.plain:
            self.ink = ink

    def began(self, title: str) -> None:  # noqa: B027 - a screen draws what goes on anyway
        """A call has begun."""

    def write_control(self, sequence: str) -> None:  # noqa: B027
        """A sequence of our own that moves and draws nothing: a bell, a notification."""

    @property
    def idle_seconds(self) -> float:
        """Since the last key."""
        return 0.0

    # --- panels ----------------------------------------------------------------------------------------------

    @property
    def panel(self) -> Panel | None:
        while self.panels and self.panels[0].done:
            self.panels.popleft()
            if self.panels:
                self.panels[0].come_forward()
        return self.panels[0] if self.panels else None

    def show(self, panel: Panel) -> None:
        panel.writing = lambda: bool(self.composer.text)
        self.panels.append(panel)
        self.refresh()

    async def answer_of(self, panel: Panel, answer: "asyncio.Future[_T]") -> _T:
        """Shows the panel until `answer` is there. Cancelling takes it off."""
        self.show(panel)
        try:
            return await answer
        finally:
            panel.done = True
            self.refresh()
