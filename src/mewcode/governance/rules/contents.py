"""What lies beneath a folder, for calls that read all of it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

MOST = 20_000
"""Entries that are looked at: a tenth of a second. A folder with more of them is not known."""
_SKIPPED = frozenset({".git"})
"""Holds no file under its own name."""


@dataclass(frozen=True)
class Contents:
    """Absolute paths, links followed. `complete` is False where there is more than was looked at."""

    files: tuple[str, ...] = ()
    complete: bool = True


def contents_of(folder: str, *, hidden: bool) -> Contents:
    """What cannot be listed cannot be read either. Some commands follow links and some do not: all are followed."""
    files: list[str] = []
    for path in _paths(folder, hidden):
        if len(files) >= MOST:
            return Contents(tuple(files), complete=False)
        files.append(path)
    return Contents(tuple(files))


def _paths(folder: str, hidden: bool) -> Iterator[str]:
    waiting, met = [folder], {folder}
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                found = [entry for entry in entries if hidden or not entry.name.startswith(".")]
        except OSError:
            continue
        for entry in found:
            path = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
            yield path
            if entry.is_dir() and entry.name not in _SKIPPED and path not in met:
                met.add(path)
                waiting.append(path)
