"""Keeps of a command's output what a reader needs: the head, the tail, and lines in between that tell of failure."""

import re
from collections import deque
from dataclasses import dataclass

_FAILING = re.compile(
    r"\b(error|errors|err|fail|fails|failed|failing|failure|failures|fatal|panic|panicked|exception|traceback|denied|"
    r"undefined|unresolved|cannot|can't|could not|no such|not found|segmentation|abort(ed)?|killed|assert(ion)?)\b"
    r"|\w(Error|Exception|Warning: unhandled)\b|^E\s{2,}|^not ok\b|[✗✘×❌]",
    re.IGNORECASE,
)
_HARMLESS = re.compile(r"\b(0|no) (errors?|fail(ed|ures?)|warnings?)\b", re.IGNORECASE)
_WIDTH = 500
"""Characters of one line that are kept."""
_HEAD, _FAILURES = 0.35, 0.25
"""Shares of the room; the tail gets the rest, because summaries come last."""
_FEW = 3
"""A line that comes again is told by a remark only when it comes more often than this."""
_NOTES = 120
"""Characters that our own remarks take."""


@dataclass(frozen=True)
class Economy:
    """`text` fits the room; `cut` says whether anything was left out."""

    text: str
    cut: bool
    lines: int


class OutputEconomy:
    """Feed it lines; it holds a few thousand characters however many come."""

    def __init__(self, room: int) -> None:
        self.room = max(room, 400)
        self.lines = 0
        self._head: list[str] = []
        self._head_left = int(self.room * _HEAD)
        self._tail: deque[str] = deque()
        self._tail_size = 0
        self._failing: list[str] = []
        self._failing_left = int(self.room * _FAILURES)
        self._passed = 0
        self._cut_line = False
        self._previous = ""
        self._repeats = 0

    def add(self, line: str) -> None:
        self.lines += 1
        if line and line == self._previous:
            self._repeats += 1
            return
        self._tell_repeats()
        self._previous = line
        self._keep(line)

    def result(self) -> Economy:
        """What was kept. Nothing is added after this."""
        self._tell_repeats()
        whole = "\n".join([*self._head, *self._tail])
        if not self._passed and len(whole) <= self.room:
            return Economy(whole, self._cut_line, self.lines)
        return Economy(self._parts(), True, self.lines)

    def _tell_repeats(self) -> None:
        repeats, self._repeats = self._repeats, 0
        if repeats > _FEW:
            self._keep(f"[the same line {repeats} more times]")
            return
        for _ in range(repeats):
            self._keep(self._previous)

    def _keep(self, line: str) -> None:
        if len(line) > _WIDTH:
            line = f"{line[:_WIDTH]}[… {len(line) - _WIDTH} characters]"
            self._cut_line = True
        if not self._tail and len(line) < self._head_left:
            self._head.append(line)
            self._head_left -= len(line) + 1
            return
        self._tail.append(line)
        self._tail_size += len(line) + 1
        self._shrink_tail(self.room)

    def _shrink_tail(self, room: int) -> None:
        while self._tail and self._tail_size > room:
            line = self._tail.popleft()
            self._tail_size -= len(line) + 1
            self._passed += 1
            if len(line) < self._failing_left and _tells_of_failure(line):
                self._failing.append(line)
                self._failing_left -= len(line) + 1

    def _parts(self) -> str:
        head = sum(len(line) + 1 for line in self._head)
        self._shrink_tail(self.room - head - int(self.room * _FAILURES) - _NOTES)
        left_out = self._passed - len(self._failing)
        if not self._failing:
            return "\n".join([*self._head, f"[… {left_out} lines left out]", *self._tail])
        notes = (
            f"[… {left_out} lines left out; these between speak of a failure:]",
            "[… end of those; the last lines:]",
        )
        return "\n".join([*self._head, notes[0], *self._failing, notes[1], *self._tail])


def _tells_of_failure(line: str) -> bool:
    return bool(_FAILING.search(line)) and not _HARMLESS.search(line)
