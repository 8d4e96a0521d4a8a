"""Running a program of our own choice (never a model's) to its end and keeping what it prints."""

import os
import subprocess
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import anyio
from anyio.abc import ByteReceiveStream, Process


@dataclass(frozen=True)
class Captured:
    """`code` is the exit status; `ended` says why it did not end by itself: "deadline" or "size", else None."""

    code: int
    output: bytes
    errors: str
    ended: str | None


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
    """Runs `argv` for at most `deadline` seconds and keeps at most `limit` bytes of its output.

    It is killed when the time is over, the limit is passed, or the caller is cancelled. Raises OSError.
    """
    output: list[bytes] = []
    errors: list[bytes] = []
    ended: str | None = "deadline"
    whole = True
    async with _started(argv, cwd, environment, descriptors, stdin) as process:
        with anyio.move_on_after(deadline):
            async with anyio.create_task_group() as group:
                if process.stderr:
                    group.start_soon(_collect, process.stderr, errors, 65_536)
                whole = process.stdout is None or await _collect(process.stdout, output, limit)
                if not whole:
                    process.kill()
            await process.wait()
            ended = None if whole else "size"
    return Captured(
        process.returncode or 0, b"".join(output), b"".join(errors).decode("utf-8", "replace").strip(), ended
    )


@asynccontextmanager
async def _started(
    argv: Sequence[str], cwd: str, environment: Mapping[str, str], descriptors: Sequence[int], stdin: int
) -> AsyncGenerator[Process, None]:
    process = await anyio.open_process(
        list(argv),
        cwd=cwd,
        env=dict(environment),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=tuple(descriptors) if os.name != "nt" else (),
        start_new_session=os.name != "nt",
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        with anyio.CancelScope(shield=True):
            with anyio.move_on_after(5):
                await process.wait()
            await process.aclose()


async def _collect(stream: ByteReceiveStream, into: list[bytes], limit: int) -> bool:
    """Reads to the end, or until `limit` bytes are there: then returns False."""
    total = 0
    try:
        while True:
            chunk = await stream.receive(1 << 20)
            total += len(chunk)
            into.append(chunk)
            if total > limit:
                return False
    except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
        return True
