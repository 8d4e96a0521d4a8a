"""One rule: which calls it means, what it says about them, and where it stands."""

from dataclasses import dataclass
from enum import Enum

from mewcode.calls import Effect, Source
from mewcode.governance.rules.arguments import ArgumentPattern
from mewcode.governance.rules.name import NamePattern


class Scope(str, Enum):
    """Where a rule comes from."""

    MANAGED = "managed"
    USER = "user"
    PROJECT = "project"
    SESSION = "session"
    COMMAND_LINE = "command_line"
    PRESET = "preset"
    DEFAULT = "default"


USER = Source(Scope.USER.value)


@dataclass(frozen=True)
class Rule:
    """`text` is the rule as it was written; `match` and `not_match` are its examples, checked when it is loaded."""

    text: str
    effect: Effect
    name: NamePattern
    arguments: ArgumentPattern
    source: Source = USER
    reason: str | None = None
    match: tuple[str, ...] = ()
    not_match: tuple[str, ...] = ()

    @property
    def scope(self) -> Scope:
        return Scope(self.source.scope)

    @property
    def explanation(self) -> str:
        return self.reason or f"the rule {self.text} says {self.effect.value}"
