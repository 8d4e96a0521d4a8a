"""What is wrong with a rule, for the person who wrote it."""

from dataclasses import dataclass
from enum import Enum

from mewcode.calls import Source
from mewcode.errors import SettingsError


class RuleError(SettingsError):
    """A rule that cannot be read, or whose own examples contradict it."""


class Severity(str, Enum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class RuleProblem:
    """One finding of `policy check`."""

    severity: Severity
    message: str
    rule: str
    source: Source
