"""Where a setting came from, and what is wrong with it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

ScopeName: TypeAlias = Literal["managed", "command_line", "project", "user", "mcp_json", "default"]
Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True)
class Place:
    """A place in a settings file, or the scope alone where there is no file. Lines and columns count from 1."""

    scope: ScopeName
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        if self.file is None:
            return self.scope
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


DEFAULT = Place("default")


@dataclass(frozen=True)
class Problem:
    """Something in the settings that somebody should mend. The message never holds a value out of a file.

    `key` is the dotted name of the setting ("limits.per_minute"), empty for a whole file.
    `local` problems put one entry (a server, a provider) out of use; any other error makes its file count as broken.
    """

    severity: Severity
    message: str
    place: Place
    key: str = ""
    local: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"
