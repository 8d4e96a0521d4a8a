"""How long a call may take, by tool."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mewcode.governance.rules.name import NamePattern, ToolName


@dataclass(frozen=True)
class Deadlines:
    """Seconds by name pattern; the shortest that fits counts."""

    by_pattern: Mapping[str, float] = field(default_factory=dict[str, float])

    def of(self, name: ToolName) -> float | None:
        """The deadline that the settings give, None where they say nothing about the tool."""
        fitting = (seconds for text, seconds in self.by_pattern.items() if NamePattern(text).tightens(name))
        return min(fitting, default=None)
