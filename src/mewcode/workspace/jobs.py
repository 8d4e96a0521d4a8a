"""Background commands: each belongs to a session, writes into a file, and ends with its session."""

import os
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from mewcode.errors import WorkspaceError
from mewcode.workspace.output_files import MOST_BYTES, open_output

if TYPE_CHECKING:
    from mewcode.workspace.processes import Command
    from mewcode.workspace.supervision import Supervision

_MOST_SECONDS_ENDING = 10.0


@dataclass
class Job:
    """A command in the background. Times are seconds of the monotonic clock."""

    id: str
    line: str
    output: Path
    began: float
    supervision: "Supervision" = field(repr=False)
    process: "subprocess.Popen[bytes]" = field(repr=False)
    shown: int = 0
    """How many bytes of the output were shown already."""

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    @property
    def code(self) -> int | None:
        """The exit status once it is over; None while it runs and when it was ended."""
        return self.supervision.report().code if not self.running else None


class Jobs:
    """The supervisors hold on to pipes of this process: when it dies, so do the jobs."""

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._sessions: dict[str, dict[str, Job]] = {}
        self._number = 0

    def next_id(self) -> str:
        self._number += 1
        return f"job_{self._number}"

    def start(self, session: str, job_id: str, line: str, command: "Command", output: Path) -> Job:
        """Starts `command` (its deadline does not count). Raises WorkspaceError."""
        jobs = self._sessions.setdefault(session, {})
        running = sum(job.running for job in jobs.values())
        if running >= self._most:
            raise WorkspaceError("workspace.too_many_jobs", count=running)
        try:
            job = _started(job_id, line, command, output)
        except OSError as error:
            raise WorkspaceError("workspace.cannot_run", reason=error.strerror or str(error)) from error
        jobs[job_id] = job
        return job

    def get(self, session: str, job_id: str) -> Job:
        """Raises WorkspaceError for a job that this session does not have."""
        jobs = self._sessions.get(session, {})
        if job_id not in jobs:
            hint = f" There are: {', '.join(jobs)}." if jobs else ""
            raise WorkspaceError("workspace.no_such_job", job=job_id, hint=hint)
        return jobs[job_id]

    def of_session(self, session: str) -> tuple[Job, ...]:
        return tuple(self._sessions.get(session, {}).values())

    async def stop(self, job: Job) -> None:
        """Ends the job with everything it started; returns when that is so."""
        job.supervision.cut()
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(_wait, job.process)
        job.supervision.kill_if_orphaned()

    async def end_session(self, session: str) -> None:
        jobs = self._sessions.pop(session, {})
        for job in jobs.values():
            job.supervision.cut()
        for job in jobs.values():
            await self.stop(job)
            job.supervision.close()

    async def close(self) -> None:
        """Ends all jobs of all sessions."""
        for session in tuple(self._sessions):
            await self.end_session(session)


def read_new(job: Job, most: int = 1 << 20) -> bytes:
    """What the job printed since the last time, at most the last `most` bytes of it."""
    try:
        size = job.output.stat().st_size
        with job.output.open("rb") as file:
            file.seek(max(job.shown, size - most))
            data = file.read(most)
    except FileNotFoundError:
        return b""
    job.shown = size
    return data


def _wait(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.wait(_MOST_SECONDS_ENDING)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _started(job_id: str, line: str, command: "Command", output: Path) -> Job:
    from mewcode.workspace.supervision import Supervision

    descriptor = open_output(output)
    supervision = Supervision(descriptor, MOST_BYTES)
    try:
        process = subprocess.Popen(
            supervision.around(command.argv),
            cwd=command.cwd,
            env=dict(command.environment),
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=subprocess.STDOUT,
            start_new_session=os.name != "nt",
            pass_fds=supervision.descriptors,
        )
    except BaseException:
        supervision.close()
        raise
    finally:
        with suppress(OSError):
            os.close(descriptor)
    supervision.started()
    return Job(job_id, line, output, time.monotonic(), supervision, process)
