"""Makes the built-in tools, with what they share."""

from collections.abc import Mapping

from mewcode.tools.base import Tool
from mewcode.tools.builtin.edit_file import EditFile
from mewcode.tools.builtin.find_files import FindFiles
from mewcode.tools.builtin.read_file import ReadFile
from mewcode.tools.builtin.run_command import RunCommand
from mewcode.tools.builtin.search_code import SearchCode
from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.tools.builtin.todo import Todo
from mewcode.tools.builtin.write_file import WriteFile
from mewcode.workspace.file_changes import FileWriter, History
from mewcode.workspace.files_read import FilesRead
from mewcode.workspace.jobs import Jobs
from mewcode.workspace.launching import CommandLauncher, Unconfined


def builtin_tools(
    settings: BuiltinSettings,
    *,
    launcher: CommandLauncher | None = None,
    history: History | None = None,
    jobs: Jobs | None = None,
    environ: Mapping[str, str] | None = None,
) -> tuple[Tool, ...]:
    """`launcher` is the sandbox, `history` keeps what is overwritten, `jobs` (give one to close it) the background
    commands, `environ` what commands may inherit from (this process's environment when None)."""
    seen = FilesRead()
    writer = FileWriter(seen, history)
    return (
        ReadFile(settings, seen),
        WriteFile(settings, writer),
        EditFile(settings, writer),
        SearchCode(settings),
        FindFiles(settings),
        RunCommand(settings, jobs or Jobs(settings.jobs_at_once), launcher or Unconfined(), environ),
        Todo(),
    )
