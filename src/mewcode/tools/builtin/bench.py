"""What the hands of the built-in tools share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.workspace.files_read import FilesRead

if TYPE_CHECKING:
    from mewcode.workspace.file_changes import FileWriter, History
    from mewcode.workspace.jobs import Jobs
    from mewcode.workspace.launching import CommandLauncher


@dataclass(frozen=True)
class Bench:
    """`launcher` is the sandbox, `history` keeps what is overwritten, `jobs` are the background commands, `environ` is
    what commands may inherit from (this process's environment when None)."""

    settings: BuiltinSettings
    launcher: "CommandLauncher"
    jobs: "Jobs"
    history: "History | None" = None
    environ: Mapping[str, str] | None = None
    seen: FilesRead = field(default_factory=FilesRead)

    @cached_property
    def writer(self) -> "FileWriter":
        from mewcode.workspace.file_changes import FileWriter

        return FileWriter(self.seen, self.history)
