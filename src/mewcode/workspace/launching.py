"""How a command line becomes a process: the shell, and what a sandbox puts around it."""

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access

_SHELL_SYNTAX = frozenset("|&;<>()$`*?[]{}~\n#")


class CommandLauncher(Protocol):
    """A sandbox, seen from a command: it puts itself around the process."""

    def wrap(self, argv: Sequence[str], *, cwd: Path, access: Access) -> Sequence[str]:
        """The command line to run instead of `argv`. Raises WorkspaceError when the sandbox cannot be had."""
        ...


class Unconfined:
    """No sandbox."""

    def wrap(self, argv: Sequence[str], *, cwd: Path, access: Access) -> Sequence[str]:
        return argv


def shell_argv(line: str) -> list[str]:
    """`line` for bash without its start-up files; where there is no bash, one simple command without a shell.

    Raises WorkspaceError for a line that then needs a shell, or that holds a NUL.
    """
    if "\0" in line:
        raise WorkspaceError("workspace.cannot_run", reason="the command holds a NUL character")
    bash = find_bash()
    if bash is not None:
        return [bash, "--noprofile", "--norc", "-c", line]
    return _simple(line)


def find_bash() -> str | None:
    if os.name != "nt":
        return next((path for path in ("/bin/bash", "/usr/bin/bash") if os.access(path, os.X_OK)), shutil.which("bash"))
    return None  # what is called bash on Windows is often WSL's: another file system


def _simple(line: str) -> list[str]:
    if _SHELL_SYNTAX & frozenset(line):
        raise WorkspaceError("workspace.cannot_run", reason="there is no bash here, so only one simple command can run")
    try:
        argv = shlex.split(line, posix=os.name != "nt")
    except ValueError as error:
        raise WorkspaceError("workspace.cannot_run", reason=str(error)) from error
    if not argv:
        raise WorkspaceError("workspace.cannot_run", reason="the command is empty")
    return argv
