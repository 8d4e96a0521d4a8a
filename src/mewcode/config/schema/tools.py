"""The limits of the built-in tools."""

from pydantic import Field

from mewcode.config.quantities import Duration, Size
from mewcode.config.schema.base import Group


class RunCommandSettings(Group):
    """`run_command`."""

    timeout: Duration = 15.0
    """Seconds a command may take unless the call asks for more."""
    max_timeout: Duration = 600.0
    """Seconds a call may ask for."""
    output: int = Field(default=4_000, ge=200)
    """Characters of output in the result, head and tail; the whole goes to a file."""
    env: list[str] = Field(default_factory=list[str])
    """Variables of your environment that commands get besides the usual ones."""
    jobs: int = Field(default=10, ge=0)
    """Background commands at once in a session."""


class ReadFileSettings(Group):
    """`read_file`."""

    lines: int = Field(default=200, ge=1)
    """Lines that are read unless the call asks for more."""
    line_characters: int = Field(default=2_000, ge=80)
    """Characters of one line."""


class WriteFileSettings(Group):
    """`write_file`."""

    max_size: Size = 10 * 1024**2
    """Bytes of the largest file written."""


class SearchCodeSettings(Group):
    """`search_code`."""

    limit: int = Field(default=50, ge=1)
    """Matches."""
    timeout: Duration = 10.0
    """Seconds a search may take."""


class FindFilesSettings(Group):
    """`find_files`."""

    limit: int = Field(default=200, ge=1)
    """Paths."""


class ToolsGroup(Group):
    """The built-in tools."""

    run_command: RunCommandSettings = Field(default_factory=RunCommandSettings.model_construct)
    """Commands."""
    read_file: ReadFileSettings = Field(default_factory=ReadFileSettings.model_construct)
    """Reading."""
    write_file: WriteFileSettings = Field(default_factory=WriteFileSettings.model_construct)
    """Writing."""
    search_code: SearchCodeSettings = Field(default_factory=SearchCodeSettings.model_construct)
    """Searching in files."""
    find_files: FindFilesSettings = Field(default_factory=FindFilesSettings.model_construct)
    """Finding files."""
