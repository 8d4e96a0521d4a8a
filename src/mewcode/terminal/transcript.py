"""What happened in this terminal, whole: for Ctrl+O, where the screen itself shows only a line."""

from collections import deque
from dataclasses import dataclass

MOST_ENTRIES = 400
MOST_CHARACTERS = 200_000
"""Of one entry: the whole of a longer result is in the session's outputs."""


@dataclass(frozen=True)
class Entry:
    """`title` is its headline, `text` is clean."""

    title: str
    text: str


class Transcript:
    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=MOST_ENTRIES)

    def add(self, title: str, text: str) -> None:
        self._entries.append(Entry(title, text[:MOST_CHARACTERS]))

    def __bool__(self) -> bool:
        return bool(self._entries)

    def as_text(self) -> str:
        return "\n\n".join(f"── {entry.title}\n\n{entry.text}".rstrip() for entry in self._entries) + "\n"
