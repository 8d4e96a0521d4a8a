"""Makes the built-in tools, with what they share."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mewcode.tools.base import Tool
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.edit_file import EditFile
from mewcode.tools.builtin.find_files import FindFiles
from mewcode.tools.builtin.read_file import ReadFile
from mewcode.tools.builtin.run_command import RunCommand
from mewcode.tools.builtin.search_code import SearchCode
from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.tools.builtin.todo import Todo
from mewcode.tools.builtin.write_file import WriteFile

if TYPE_CHECKING:
    from mewcode.workspace.file_changes import History
    from mewcode.workspace.jobs import Jobs
    from mewcode.workspace.launching import CommandLauncher


def builtin_tools(
    settings: BuiltinSettings,
    *,
    launcher: "CommandLauncher | None" = None,
    history: "History | None" = None,
    jobs: "Jobs | None" = None,
    environ: Mapping[str, str] | None = None,
) -> tuple[Tool, ...]:
    """`launcher` is the sandbox, `history` keeps what is overwritten, `jobs` (give one to close it) the background
    commands, `environ` what commands may inherit from (this process's environment when None)."""
    bench = Bench(
        settings,
        launcher=launcher or _unconfined(),
        jobs=jobs or _jobs(settings),
        history=history,
        environ=environ,
    )
    return (
        ReadFile(bench),
        WriteFile(bench),
        EditFile(bench),
        SearchCode(bench),
        FindFiles(bench),
        RunCommand(bench),
        Todo(),
    )


def _unconfined() -> "CommandLauncher":
    from mewcode.workspace.launching import Unconfined

    return Unconfined()


def _jobs(settings: BuiltinSettings) -> "Jobs":
    from mewcode.workspace.jobs import Jobs

    return Jobs(settings.jobs_at_once)
