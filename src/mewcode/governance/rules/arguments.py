"""What a rule says about arguments: nothing, a pattern on the main one, or patterns on named ones."""

from dataclasses import dataclass
from typing import TypeAlias

from mewcode.governance.rules.wildcard import Wildcard


@dataclass(frozen=True)
class AnyArguments:
    """`tool` and `tool(*)`: every call of the tool."""

    text: str = "*"


@dataclass(frozen=True)
class MainArgument:
    """`tool(pattern)`: how it is read depends on what the tool's main argument is (path, command, URL, text)."""

    text: str


@dataclass(frozen=True)
class Pairs:
    """`tool(key=pattern, …)`: every key must be there and fit. A dotted key reaches into objects."""

    text: str
    entries: tuple[tuple[str, Wildcard], ...]


ArgumentPattern: TypeAlias = AnyArguments | MainArgument | Pairs
