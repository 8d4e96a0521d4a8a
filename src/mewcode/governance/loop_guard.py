"""Notices a session that makes the same call again and again."""

from collections.abc import Mapping
from dataclasses import dataclass

from mewcode.calls import Json
from mewcode.tools import Tool

TIMES = 3
"""The same call this many times in a row asks."""


@dataclass
class LoopGuard:
    """`most` repetitions in a row ask."""

    most: int = TIMES
    last: str = ""
    times: int = 0

    def note(self, fingerprint: str) -> None:
        """A call that came in."""
        self.times = self.times + 1 if fingerprint == self.last else 1
        self.last = fingerprint

    @property
    def is_looping(self) -> bool:
        return self.times >= self.most

    def forgive(self) -> None:
        """Somebody approved the repetition: count again from here."""
        self.times = 0


def is_polling(tool: Tool, arguments: Mapping[str, Json]) -> bool:
    """Asking a background job for its output again is how one waits for it, and no loop."""
    return tool.server is None and tool.original_name == "run_command" and "job" in arguments
