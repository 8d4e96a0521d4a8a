"""Running one command under its supervisor: live output, a deadline, and nothing left when it is over."""

import os
import subprocess
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import anyio
from anyio.abc import Process

from mewcode.errors import WorkspaceError
from mewcode.workspace.supervision import Supervision

OnOutput: TypeAlias = Callable[[bytes], Awaitable[None]]

_MOST_SECONDS_ENDING = 10.0
"""SIGTERM, two seconds, SIGKILL, and what a loaded machine needs for it (supervisor.py)."""


@dataclass(frozen=True)
class Command:
    """`argv` and the whole environment of a process; `deadline` in seconds."""

    argv: Sequence[str]
    cwd: Path
    environment: Mapping[str, str]
    deadline: float


@dataclass(frozen=True)
class Ended:
    """How a command ended. `code` is its exit status, 128 + n after signal n; None when it had to be ended.

    `left` counts processes that it had left behind in the background and that were ended.
    """

    code: int | None
    seconds: float
    timed_out: bool
    left: int


async def run(command: Command, on_output: OnOutput) -> Ended:
    """Runs the command with no input; standard output and errors come as one stream, in order, to `on_output`.

    When the deadline comes or the caller is cancelled, the whole tree of processes is ended first. Raises
    WorkspaceError when it cannot be started.
    """
    began = time.monotonic()
    with Supervision() as supervision:
        process = await _start(command, supervision)
        try:
            timed_out = False
            with anyio.move_on_after(command.deadline) as scope:
                await _pass_on(process, on_output)
                await process.wait()
            if scope.cancelled_caught:
                timed_out = True
                supervision.cut()
                with anyio.move_on_after(_MOST_SECONDS_ENDING):
                    await _pass_on(process, on_output)
                    await process.wait()
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process, supervision)
        report = supervision.report()
        code = report.code if os.name != "nt" else process.returncode
        return Ended(None if timed_out else code, time.monotonic() - began, timed_out, report.left)


async def _start(command: Command, supervision: Supervision) -> Process:
    try:
        process = await anyio.open_process(
            supervision.around(command.argv),
            cwd=command.cwd,
            env=command.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=os.name != "nt",
            pass_fds=supervision.descriptors,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) if os.name == "nt" else 0,
        )
    except OSError as error:
        raise WorkspaceError("workspace.cannot_run", reason=error.strerror or str(error)) from error
    supervision.started()
    return process


async def _pass_on(process: Process, on_output: OnOutput) -> None:
    if process.stdout is None:
        return
    with suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
        while True:
            await on_output(await process.stdout.receive(65_536))


async def _end(process: Process, supervision: Supervision) -> None:
    """Whatever happened: when this returns, the command and all it started are gone."""
    supervision.cut()
    if process.returncode is None and os.name == "nt":
        await anyio.run_process(["taskkill", "/T", "/F", "/PID", str(process.pid)], check=False)
    with anyio.move_on_after(_MOST_SECONDS_ENDING):
        await process.wait()
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    supervision.kill_if_orphaned()
    await process.aclose()
