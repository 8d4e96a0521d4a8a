"""Asks the search program of our own (python_search.py), which runs as a process so that it can always be ended:
Python's regular expressions can take for ever, and hold everything up meanwhile."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mewcode.errors import WorkspaceError
from mewcode.workspace.capture import capture
from mewcode.workspace.place import Place
from mewcode.workspace.ripgrep import ripgrep_environment

_MOST_OUTPUT = 64 << 20
_PROGRAM = Path(__file__).with_name("python_search.py")


async def ask(
    place: Place | None, request: Mapping[str, Any], deadline: float, descriptors: Sequence[int] = ()
) -> tuple[list[dict[str, Any]], bool]:
    """The answers, one JSON object a line, and whether the deadline cut them short. Raises WorkspaceError."""
    from mewcode.workspace.ripgrep_engine import descriptors_of, directory_of

    held = [*descriptors, *(descriptors_of(place) if place else ())]
    result = await capture(
        [sys.executable, "-I", str(_PROGRAM), json.dumps(request)],
        cwd=directory_of(place) if place else os.sep,
        environment=ripgrep_environment(),
        deadline=deadline,
        limit=_MOST_OUTPUT,
        descriptors=held,
    )
    if result.code == 2 and not result.late:
        raise WorkspaceError("workspace.bad_query", reason=result.errors)
    whole = result.output[: result.output.rfind(b"\n") + 1]
    return [json.loads(line) for line in whole.splitlines()], result.late or result.cut
