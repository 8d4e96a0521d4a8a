"""Running a program of our own choice (never a model's) to its end and keeping what it prints."""

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

import anyio
from anyio.abc import Process

from mewcode.errors import WorkspaceError

_MOST_SECONDS_ENDING = 5.0
_MOST_ERRORS = 65_536


@dataclass(frozen=True)
class Captured:
    """`code` is the exit status; `late` says that the deadline came first, `cut` that there was more output."""

    code: int
    output: bytes
    errors: str
    late: bool
    cut: bool


async def capture(
    argv: Sequence[str],
    *,
    cwd: str,
    environment: Mapping[str, str],
    deadline: float,
    limit: int,
    descriptors: Sequence[int] = (),
    stdin: int = subprocess.DEVNULL,
) -> Captured:
    """Runs `argv` for at most `deadline` seconds and returns at most `limit` bytes of its output.

    It is killed when the time is over or the caller is cancelled. The output goes through a file in memory, not a pipe:
    a quick program never waits for a busy event loop. Raises WorkspaceError when it cannot be started.
    """
    with _scratch() as output, _scratch() as errors:
        try:
            process = await anyio.open_process(
                list(argv),
                cwd=cwd,
                env=dict(environment),
                stdin=stdin,
                stdout=output,
                stderr=errors,
                pass_fds=tuple(descriptors) if os.name != "nt" else (),
                start_new_session=os.name != "nt",
            )
        except OSError as error:
            raise WorkspaceError("workspace.cannot_run", reason=error.strerror or str(error)) from error
        late = not await _ended(process, deadline)
        printed = _contents(output, limit + 1)
        complaint = _contents(errors, _MOST_ERRORS).decode("utf-8", "replace").strip()
        return Captured(process.returncode or 0, printed[:limit], complaint, late, len(printed) > limit)


async def _ended(process: Process, deadline: float) -> bool:
    """Waits for the end; whatever happens, the process is gone when this returns. Says whether it ended in time."""
    try:
        with anyio.move_on_after(deadline):
            await process.wait()
            return True
        return False
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        with anyio.CancelScope(shield=True), anyio.move_on_after(_MOST_SECONDS_ENDING):
            await process.wait()


def _scratch() -> IO[bytes]:
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("mewcode"), "w+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)


def _contents(file: IO[bytes], limit: int) -> bytes:
    file.seek(0)
    pieces: list[bytes] = []
    while limit > 0 and (piece := file.read(min(limit, 1 << 20))):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)
