"""Searching with ripgrep."""

import os
import re
import sys
import time
from pathlib import Path

from mewcode.errors import WorkspaceError
from mewcode.workspace.capture import Captured, capture
from mewcode.workspace.place import Place
from mewcode.workspace.ripgrep import base_arguments, ripgrep_environment
from mewcode.workspace.search_engine import Count, Line

_COLUMNS = 500
_MOST_OUTPUT = 64 << 20


class RipgrepEngine:
    def __init__(self, program: str, text: str, *, literal: bool, deadline: float) -> None:
        self.late = False
        self._program = program
        # `-e` takes the next argument whatever it begins with: a query can never be an option.
        self._query = [*(["--fixed-strings"] if literal else []), "-e", text]
        self._ends_at = time.monotonic() + deadline

    async def count(self, place: Place, glob: str | None) -> list[Count]:
        arguments = [*base_arguments(glob), "--count", "--null", "--with-filename"]
        result = await self._run([*arguments, *self._query, "--", "."], directory_of(place), descriptors_of(place))
        if result.code == 2 and not result.output and result.errors:
            raise WorkspaceError("workspace.bad_query", reason=_explained(result.errors))
        return _counts(result.output)

    async def lines(self, files: list[tuple[str, Path, int]], *, context: int, limit: int) -> list[Line]:
        names = {_argument(path, descriptor): name for name, path, descriptor in files}
        arguments = [
            *base_arguments(),
            "--line-number",
            "--with-filename",
            "--null",
            "--no-heading",
            "--threads=1",  # in the order of the arguments
            f"--max-columns={_COLUMNS}",
            "--max-columns-preview",
            f"--context={context}",
            f"--max-count={limit + 1}",
        ]
        descriptors = [descriptor for _, _, descriptor in files]
        result = await self._run([*arguments, *self._query, "--", *names], os.sep, descriptors)
        if result.code == 2 and not result.output and result.errors:
            raise WorkspaceError("workspace.bad_query", reason=_explained(result.errors))
        return _parsed(result.output, names)

    async def _run(self, arguments: list[str], cwd: str, descriptors: list[int]) -> Captured:
        result = await capture(
            [self._program, *arguments],
            cwd=cwd,
            environment=ripgrep_environment(),
            deadline=max(0.1, self._ends_at - time.monotonic()),
            limit=_MOST_OUTPUT,
            descriptors=descriptors,
        )
        self.late = self.late or result.late or result.cut
        return result


def directory_of(place: Place) -> str:
    """The place's own directory as a child's working directory: through the descriptor, where that works."""
    if place.directory is not None and sys.platform == "linux":
        return f"/proc/self/fd/{place.directory}"
    return str(place.path)


def descriptors_of(place: Place) -> list[int]:
    return [place.directory] if place.directory is not None and sys.platform == "linux" else []


def _argument(path: Path, descriptor: int) -> str:
    """What ripgrep opens: the file that was opened safely before, not whatever has its name now."""
    if sys.platform == "linux":
        return f"/proc/self/fd/{descriptor}"
    return f"/dev/fd/{descriptor}" if sys.platform == "darwin" else str(path)


_COUNT = re.compile(rb"(?:\./)?([^\0]+)\0([0-9]+)\n")
"""A name may hold line ends, but no NUL."""


def _counts(output: bytes) -> list[Count]:
    return [Count(os.fsdecode(name), int(number)) for name, number in _COUNT.findall(output)]


def _parsed(output: bytes, names: dict[str, str]) -> list[Line]:
    lines: list[Line] = []
    for entry in output.split(b"\n"):
        name, null, rest = entry.partition(b"\0")
        number = rest[: len(rest) - len(rest.lstrip(b"0123456789"))]
        shown = names.get(os.fsdecode(name)) if null else None
        if shown is None or not number:
            continue
        mark, text = rest[len(number) : len(number) + 1], rest[len(number) + 1 :]
        decoded = text.decode("utf-8", "replace").removesuffix("\r")
        lines.append(Line(shown, int(number), decoded, mark == b":"))
    return lines


def _explained(errors: str) -> str:
    if "look-around" in errors or "backreferences" in errors:
        return f"{errors} Write it without look-around and back-references, or search for a literal text."
    return errors
