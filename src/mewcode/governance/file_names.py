"""Which files a search opens on its way through a folder, by their own names."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeAlias

PLAIN = frozenset("[]\\/{}!")
"""What stands in no pattern here: only `*` and `?` mean the same to every program."""


@dataclass(frozen=True)
class FileNames:
    """Patterns of `*` and `?`. `only`: of files that are opened (empty: all). `but`: of files that are not.
    `beside`: of folders that are not entered."""

    only: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    def takes(self, name: str) -> bool:
        if self.only and not _any(self.only, name):
            return False
        return not _any(self.but, name)

    def enters(self, folder: str) -> bool:
        return not _any(self.beside, folder)


EVERY_NAME = FileNames()

Drawn: TypeAlias = tuple[tuple[str, FileNames], ...]
"""Folders, and which of the files beneath each are meant."""
ALL_HERE: Drawn = ((".", EVERY_NAME),)


def is_plain(pattern: str) -> bool:
    return bool(pattern) and PLAIN.isdisjoint(pattern)


def _any(patterns: tuple[str, ...], name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
