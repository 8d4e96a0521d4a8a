"""The tool that runs commands, in the foreground and in the background."""

from collections.abc import Mapping

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.tools.base import Tool
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.command_schema import command_description, command_parameters

_GRACE = 20.0
"""Seconds beyond the command's own deadline, in which its processes are ended and its output is read."""


class RunCommand(Tool):
    """bash in the workspace, with an environment of its own and an end."""

    name = "run_command"
    main_argument = "command"
    effects = Effects(reads=True, writes=True, executes=True, network=True)

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.description = command_description(bench.settings)
        self.parameters = command_parameters(bench.settings)

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
        return self._bench.settings.seconds_of_command(arguments.get("timeout")) + _GRACE

    async def execute(self, call: ToolCall) -> ToolResult:
        from mewcode.tools.builtin.hands.running import run

        return await run(self._bench, call)

    async def end_session(self, session: str) -> None:
        await self._bench.jobs.end_session(session)
