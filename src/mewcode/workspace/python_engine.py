"""Searching with Python's regular expressions, where there is no ripgrep."""

import os
import time
from pathlib import Path

from mewcode.workspace.globs import glob_expression
from mewcode.workspace.place import HAS_DIRECTORY_DESCRIPTORS, Place
from mewcode.workspace.python_worker import ask
from mewcode.workspace.search_engine import Count, Line


class PythonEngine:
    def __init__(self, text: str, *, literal: bool, deadline: float) -> None:
        self.late = False
        self._query = {"text": text, "literal": literal}
        self._ends_at = time.monotonic() + deadline

    async def count(self, place: Place, glob: str | None) -> list[Count]:
        names = glob_expression(glob) if glob and not glob.startswith("!") else None
        answers, late = await ask(place, {"do": "count", "names": names, **self._query}, self._left)
        self.late = self.late or late
        return [Count(answer["path"], answer["lines"]) for answer in answers]

    async def lines(self, files: list[tuple[str, Path, int]], *, context: int, limit: int) -> list[Line]:
        descriptors = [descriptor for _, _, descriptor in files] if HAS_DIRECTORY_DESCRIPTORS else []
        for descriptor in descriptors:
            os.lseek(descriptor, 0, os.SEEK_SET)
        named = [[name, f"/dev/fd/{fd}" if HAS_DIRECTORY_DESCRIPTORS else str(path)] for name, path, fd in files]
        request = {"do": "lines", "files": named, "context": context, "limit": limit, **self._query}
        answers, late = await ask(None, request, self._left, descriptors)
        self.late = self.late or late
        return [Line(answer["path"], answer["number"], answer["text"], answer["matched"]) for answer in answers]

    @property
    def _left(self) -> float:
        return max(0.1, self._ends_at - time.monotonic())
