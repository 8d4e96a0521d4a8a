"""What the rules say about a call, and which rule said it."""

from dataclasses import dataclass
from enum import Enum


class Effect(str, Enum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True)
class Source:
    """A place in a settings file; `scope` is managed, user, project, session, command_line, preset or default.

    Lines and columns count from 1.
    """

    scope: str
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        if self.file is None:
            return self.scope
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place} ({self.scope})"


@dataclass(frozen=True)
class Decision:
    """`rule` is the rule's own text, None where a built-in default decided; `reason` is a sentence for people."""

    effect: Effect
    reason: str
    rule: str | None = None
    source: Source | None = None
