"""Running commands, and looking after those in the background."""

import os
from pathlib import Path

from mewcode.calls import ErrorKind, ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.hands.command_results import finished_result
from mewcode.tools.builtin.hands.job_results import job_output, job_started, job_stopped
from mewcode.tools.builtin.hands.results import access_of, failure, refused_or_failed
from mewcode.workspace.access import Access
from mewcode.workspace.commands import run_command
from mewcode.workspace.environment import CommandEnvironment, command_environment
from mewcode.workspace.launching import shell_argv
from mewcode.workspace.output_files import output_path
from mewcode.workspace.processes import Command

_TOOL = "run_command"


async def run(bench: Bench, call: ToolCall) -> ToolResult:
    try:
        if "command" not in call.arguments:
            return await _look_after_job(bench, call)
        if "job" in call.arguments or "action" in call.arguments:
            text = "`command` starts something new; `job` and `action` are for one that runs. Give one or the other."
            return failure(_TOOL, text, None, ErrorKind.INVALID_ARGUMENTS)
        return await _run(bench, call)
    except WorkspaceError as error:
        return refused_or_failed(_TOOL, error, call.arguments.get("command") or call.arguments.get("job"))


async def _run(bench: Bench, call: ToolCall) -> ToolResult:
    line: str = call.arguments["command"]
    access = access_of(call.scope)
    cwd = _directory(access, call.arguments.get("cwd") or ".")
    environment = _environment(bench)
    argv = bench.launcher.wrap(shell_argv(line), cwd=cwd, access=access)
    seconds = bench.settings.seconds_of_command(call.arguments.get("timeout"))
    command = Command(argv, cwd, environment.variables, seconds)
    if call.arguments.get("background"):
        job_id = bench.jobs.next_id()
        output = output_path(bench.settings.outputs, call.session, job_id)
        return job_started(bench.jobs.start(call.session, job_id, line, command, output))
    finished = await run_command(
        command,
        room=bench.settings.command_characters,
        output=output_path(bench.settings.outputs, call.session, call.id),
        live=call.channel.output,
    )
    return finished_result(finished, line, command.deadline, environment, bench.settings.secret_variables)


async def _look_after_job(bench: Bench, call: ToolCall) -> ToolResult:
    job_id = call.arguments.get("job")
    if not job_id:
        text = "Give a `command` to run, or a `job` and an `action`."
        return failure(_TOOL, text, None, ErrorKind.INVALID_ARGUMENTS)
    job = bench.jobs.get(call.session, job_id)
    if call.arguments.get("action") != "stop":
        return job_output(job, bench.settings.command_characters)
    await bench.jobs.stop(job)
    return job_stopped(job, bench.settings.command_characters)


def _environment(bench: Bench) -> CommandEnvironment:
    environ = os.environ if bench.environ is None else bench.environ
    return command_environment(environ, bench.settings.command_environment, bench.settings.secret_variables)


def _directory(access: Access, text: str) -> Path:
    with access.locate(text) as place:
        if not place.path.is_dir():
            raise WorkspaceError("workspace.not_a_directory", path=text)
        return place.path
