"""How much a session asks: plan, default, accept-edits, auto."""

from enum import Enum


class Mode(str, Enum):
    """`plan` only reads; `default` asks; `accept-edits` writes files of the workspace unasked; `auto` never asks:
    the rules decide, and what would be asked is refused."""

    PLAN = "plan"
    DEFAULT = "default"
    ACCEPT_EDITS = "accept-edits"
    AUTO = "auto"

    @property
    def asks(self) -> bool:
        return self is not Mode.AUTO

    @property
    def following(self) -> "Mode":
        """The mode that Shift+Tab switches to."""
        modes = list(Mode)
        return modes[(modes.index(self) + 1) % len(modes)]
