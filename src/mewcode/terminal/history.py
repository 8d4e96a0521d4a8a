"""The lines that were sent before: a file for this user only, no longer than the settings say, and a search in it."""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.terminal.face import Face

SEARCHED = 2_000
"""The newest lines that Ctrl+R looks through."""


def open_history(path: Path | None) -> History:
    """In memory where the file cannot be had."""
    if path is None:
        return InMemoryHistory()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))


def trim_history(path: Path, most: int) -> None:
    """Keeps the newest `most` entries; 0 keeps none. File work: call it in a thread.

    An entry is a comment with its time, then its lines, each behind a +, as prompt_toolkit writes them.
    """
    from mewcode.config.atomic_write import write_atomically

    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    entries = text.split("\n# ")
    if len(entries) <= most + 1 and (most or not text.strip()):  # before the first comment there is an empty line
        return
    kept = entries[-most:] if most else []
    write_atomically(path, "".join(f"\n# {entry}" for entry in kept).rstrip("\n") + "\n" if kept else "", mode=0o600)


async def search(screen: "Face") -> None:
    """Lets the person choose an earlier line; it is put into the input line, to be changed or sent."""
    from mewcode.terminal.choosing import ChoicePanel, Option

    lines = list(islice(_newest_first(screen.composer.buffer.history.get_strings()), SEARCHED))
    if not lines:
        screen.hint(message("terminal.no_history"))
        return
    typed = screen.composer.text
    options = [Option(str(index), " ↵ ".join(line.split("\n"))) for index, line in enumerate(lines)]
    panel = ChoicePanel(message("terminal.search_history"), options)
    panel.text = typed if "\n" not in typed else ""
    chosen = await screen.answer_of(panel, panel.chosen)
    if chosen is not None:
        screen.composer.clear()
        screen.composer.put(lines[int(chosen)])
        screen.refresh()


def _newest_first(lines: Iterable[str]) -> Iterator[str]:
    """Each line once. prompt_toolkit gives the oldest first."""
    yield from dict.fromkeys(reversed(list(lines)))
