"""What the built-in tools take from the settings."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class BuiltinSettings:
    """Defaults are those of the documentation. Times in seconds, sizes in bytes.

    `command_environment` names variables that commands get beside the usual ones; `secret_variables` those that they
    never get. `outputs` is where whole outputs of commands go, in a folder for each session.
    """

    outputs: Path
    read_lines: int = 200
    line_characters: int = 2_000
    write_bytes: int = 10 << 20
    search_limit: int = 50
    search_deadline: float = 10.0
    find_limit: int = 200
    command_timeout: float = 15.0
    command_timeout_most: float = 600.0
    command_characters: int = 4_000
    command_environment: tuple[str, ...] = ()
    secret_variables: frozenset[str] = frozenset()
    jobs_at_once: int = 8

    def seconds_of_command(self, asked: float | None) -> float:
        """What a command gets that asked for so many seconds, or for none."""
        return min(float(asked or self.command_timeout), self.command_timeout_most)
