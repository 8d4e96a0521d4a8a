"""Where ripgrep is, and an environment in which nobody's settings change what it does."""

import os
import shutil
import sys
import sysconfig
from functools import cache
from pathlib import Path

from mewcode.workspace.globs import file_name_glob

_NAME = "rg.exe" if os.name == "nt" else "rg"


@cache
def find_ripgrep() -> str | None:
    """The `rg` that came with MewCode's own environment, else the one on PATH, else None."""
    folders = [
        sysconfig.get_path("scripts"),
        str(Path(sys.executable).parent),
        sysconfig.get_path("scripts", "posix_user"),
    ]
    for folder in folders:
        candidate = Path(folder) / _NAME
        if os.access(candidate, os.X_OK):
            return str(candidate)
    return shutil.which("rg")


def ripgrep_environment() -> dict[str, str]:
    """No RIPGREP_CONFIG_PATH, no git settings: only what the loader and the file names need."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "SYSTEMROOT", "TMPDIR")
    return {name: os.environ[name] for name in kept if name in os.environ}


def base_arguments(glob: str | None = None) -> list[str]:
    """Arguments that every search starts with: hidden files too, `.git` never, nothing from a settings file.

    A glob only narrows what is looked at, by a file type of our own: `--glob` would let in what .gitignore takes out.
    Whoever gets the names must still compare them with the glob.
    """
    arguments = ["--no-config", "--no-messages", "--hidden", "--no-follow", "--color=never", "--glob=!.git"]
    name = file_name_glob(glob) if glob and not glob.startswith("!") else None
    if name is None or name.startswith("include:"):
        return arguments
    return [*arguments, f"--type-add=wanted:{name}", "--type=wanted"]
