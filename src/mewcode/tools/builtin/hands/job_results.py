"""What the model is told of background jobs."""

import time

from mewcode.calls import ToolResult
from mewcode.tools.builtin.hands.results import answer
from mewcode.workspace.jobs import Job, read_new
from mewcode.workspace.output_economy import Economy, OutputEconomy
from mewcode.workspace.terminal_noise import LineStream

_TOOL = "run_command"


def job_started(job: Job) -> ToolResult:
    text = f"Started as {job.id}. Its output goes to {job.output}; see what is new with job={job.id}, action=output."
    return _result(job, text)


def job_output(job: Job, room: int) -> ToolResult:
    kept = _new_output(job, room)
    return _result(
        job, f"{kept.text or '(nothing new)'}\n[{_state(job)} Everything it printed is in {job.output}.]", kept.cut
    )


def job_stopped(job: Job, room: int) -> ToolResult:
    kept = _new_output(job, room)
    return _result(job, f"{kept.text}\n[{job.id} is stopped, with all it started.]".lstrip(), kept.cut)


def _new_output(job: Job, room: int) -> Economy:
    stream, economy = LineStream(), OutputEconomy(room)
    for line in [*stream.feed(read_new(job)), *stream.finish()]:
        economy.add(line)
    return economy.result()


def _state(job: Job) -> str:
    if job.running:
        return f"{job.id} runs since {time.monotonic() - job.began:.0f} s."
    return f"{job.id} is over, exit code {job.code}." if job.code is not None else f"{job.id} was ended."


def _result(job: Job, text: str, cut: bool = False) -> ToolResult:
    structured = {"job": job.id, "running": job.running, "exit_code": job.code}
    return answer(_TOOL, text, job.line, structured=structured, truncated=cut, output_path=str(job.output))
