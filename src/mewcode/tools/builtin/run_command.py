"""The tool that runs commands, in the foreground and in the background."""

import os
from collections.abc import Mapping
from pathlib import Path

from mewcode.calls import Access as Act
from mewcode.calls import Effects, ErrorKind, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.base import Tool
from mewcode.tools.builtin.command_results import finished_result
from mewcode.tools.builtin.command_schema import command_description, command_parameters
from mewcode.tools.builtin.job_results import job_output, job_started, job_stopped
from mewcode.tools.builtin.results import access_of, failure, refused_or_failed
from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.workspace.access import Access
from mewcode.workspace.commands import run_command
from mewcode.workspace.environment import CommandEnvironment, command_environment
from mewcode.workspace.jobs import Jobs
from mewcode.workspace.launching import CommandLauncher, shell_argv
from mewcode.workspace.output_files import output_path
from mewcode.workspace.processes import Command

_GRACE = 20.0
"""Seconds beyond the command's own deadline, in which its processes are ended and its output is read."""


class RunCommand(Tool):
    """bash in the workspace, with an environment of its own and an end."""

    name = "run_command"
    main_argument = "command"
    effects = Effects(reads=True, writes=True, executes=True, network=True)

    def __init__(
        self,
        settings: BuiltinSettings,
        jobs: Jobs,
        launcher: CommandLauncher,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._settings = settings
        self._jobs = jobs
        self._launcher = launcher
        self._environ = environ
        self.description = command_description(settings)
        self.parameters = command_parameters(settings)

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        found: list[Subject] = []
        if command := arguments.get("command"):
            found.append(Subject(SubjectKind.COMMAND, command, Act.EXECUTE))
        if cwd := arguments.get("cwd"):
            found.append(Subject(SubjectKind.PATH, cwd, Act.READ))
        return tuple(found)

    def effects_of(self, arguments: Mapping[str, Json]) -> Effects:
        """Looking after a job that was let through before only reads."""
        return self.effects if "command" in arguments else Effects(reads=True)

    def deadline(self, arguments: Mapping[str, Json]) -> float:
        return self._timeout(arguments) + _GRACE

    async def execute(self, call: ToolCall) -> ToolResult:
        try:
            if "command" not in call.arguments:
                return await self._look_after_job(call)
            if "job" in call.arguments or "action" in call.arguments:
                text = (
                    "`command` starts something new; `job` and `action` are for one that runs. Give one or the other."
                )
                return failure(self.name, text, None, ErrorKind.INVALID_ARGUMENTS)
            return await self._run(call)
        except WorkspaceError as error:
            return refused_or_failed(self.name, error, call.arguments.get("command") or call.arguments.get("job"))

    async def end_session(self, session: str) -> None:
        await self._jobs.end_session(session)

    async def _run(self, call: ToolCall) -> ToolResult:
        line: str = call.arguments["command"]
        access = access_of(call.scope)
        cwd = _directory(access, call.arguments.get("cwd") or ".")
        environment = self._environment()
        argv = self._launcher.wrap(shell_argv(line), cwd=cwd, access=access)
        command = Command(argv, cwd, environment.variables, self._timeout(call.arguments))
        if call.arguments.get("background"):
            job_id = self._jobs.next_id()
            output = output_path(self._settings.outputs, call.session, job_id)
            return job_started(self._jobs.start(call.session, job_id, line, command, output))
        finished = await run_command(
            command,
            room=self._settings.command_characters,
            output=output_path(self._settings.outputs, call.session, call.id),
            live=call.channel.output,
        )
        return finished_result(finished, line, command.deadline, environment, self._settings.secret_variables)

    async def _look_after_job(self, call: ToolCall) -> ToolResult:
        job_id = call.arguments.get("job")
        if not job_id:
            text = "Give a `command` to run, or a `job` and an `action`."
            return failure(self.name, text, None, ErrorKind.INVALID_ARGUMENTS)
        job = self._jobs.get(call.session, job_id)
        if call.arguments.get("action") != "stop":
            return job_output(job, self._settings.command_characters)
        await self._jobs.stop(job)
        return job_stopped(job, self._settings.command_characters)

    def _timeout(self, arguments: Mapping[str, Json]) -> float:
        asked = arguments.get("timeout") or self._settings.command_timeout
        return min(float(asked), self._settings.command_timeout_most)

    def _environment(self) -> CommandEnvironment:
        environ = os.environ if self._environ is None else self._environ
        return command_environment(environ, self._settings.command_environment, self._settings.secret_variables)


def _directory(access: Access, text: str) -> Path:
    with access.locate(text) as place:
        if not place.path.is_dir():
            raise WorkspaceError("workspace.not_a_directory", path=text)
        return place.path
