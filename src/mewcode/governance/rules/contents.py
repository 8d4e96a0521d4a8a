"""What lies beneath a folder, for calls that read all of it."""

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from mewcode.governance.file_names import EVERY_NAME, FileNames

MOST = 20_000
"""Entries that are looked at: a tenth of a second. A folder with more of them is not known."""
_SKIPPED = frozenset({".git"})
"""Holds no file under its own name."""
_INSTALLED = frozenset({".git", "node_modules", "site-packages", "dist-packages"})
"""Programs of others, with certificates and samples of theirs: no secrets of whoever works here."""


@dataclass(frozen=True)
class Contents:
    """Absolute paths, links followed. `complete` is False where there is more than was looked at."""

    files: tuple[str, ...] = ()
    complete: bool = True


def contents_of(folder: str, *, hidden: bool, names: FileNames = EVERY_NAME, own: bool = False) -> Contents:
    """What cannot be listed cannot be read either. Some commands follow links and some do not: all are followed. What
    lies near is found first. `own` leaves out what was installed."""
    if own and os.path.basename(folder) in _INSTALLED:  # noqa: PTH119
        return Contents()
    files: list[str] = []
    skipped = _INSTALLED if own else _SKIPPED
    for looked, (path, taken) in enumerate(_paths(folder, hidden, names, skipped)):
        if looked >= MOST:
            return Contents(tuple(files), complete=False)
        if taken:
            files.append(path)
    return Contents(tuple(files))


def _paths(folder: str, hidden: bool, names: FileNames, skipped: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Each entry, and whether it is read: of files their names decide, not those of what a link leads to."""
    waiting, met = deque([folder]), {folder}
    while waiting:
        try:
            with os.scandir(waiting.popleft()) as entries:
                found = [entry for entry in entries if hidden or not entry.name.startswith(".")]
        except OSError:
            continue
        for entry in found:
            path = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
            is_folder = entry.is_dir()
            yield path, names.enters(entry.name) if is_folder else names.takes(entry.name)
            if is_folder and entry.name not in skipped and path not in met and names.enters(entry.name):
                met.add(path)
                waiting.append(path)
