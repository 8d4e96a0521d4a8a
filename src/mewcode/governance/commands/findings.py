"""What an analysis gathers on its way, and the bounds that keep a hostile line from taking for ever."""

import posixpath
import re
import time
from dataclasses import dataclass, field

from mewcode.governance.commands.analysis import Analysis, Command, FileUse
from mewcode.governance.commands.arithmetic import Numbers
from mewcode.messages import english

LONGEST_LINE = 64 * 1024
"""Bytes. Nobody reads a longer command before saying yes to it."""
MOST_SIGNS = 4_000
"""Characters that mean something to a shell. Thousands of them make the parser's error recovery slow (30,000 pipes:
8 s), and nobody reads them either."""
MOST_COMMANDS = 1_000
DEEPEST = 24
"""Sources within sources: `bash -c 'bash -c …'`."""
LONGEST_TIME = 2.0
"""Seconds; a usual line takes about a millisecond."""


_SIGNS = re.compile(r"[|&;()<>{}`$\"'\\\[\]]")


def is_too_intricate(text: str) -> bool:
    """Whether a text is not worth parsing."""
    return sum(1 for _ in _SIGNS.finditer(text)) > MOST_SIGNS


class BoundsError(Exception):
    """The line is too large for a judgement."""


@dataclass
class Findings:
    """One analysis under way."""

    cwd: str | None = None
    commands: list[Command] = field(default_factory=list[Command])
    doubts: dict[str, None] = field(default_factory=dict[str, None])
    writes: dict[FileUse, None] = field(default_factory=dict[FileUse, None])
    reads: dict[FileUse, None] = field(default_factory=dict[FileUse, None])
    hosts: dict[str, None] = field(default_factory=dict[str, None])
    starts_mewcode: bool = False
    numbers: Numbers = field(default_factory=Numbers)
    expressions: dict[tuple[str, str], None] = field(default_factory=dict[tuple[str, str], None])
    until: float = field(default_factory=lambda: time.monotonic() + LONGEST_TIME)

    def doubt(self, code: str, **values: object) -> None:
        """Notes why no rule may allow the line; `code` without its area."""
        self.doubts[english(f"commands.{code}", **values)] = None

    def evaluates(self, expression: str, shown: str) -> None:
        """The line evaluates an arithmetic expression (its substitutions cut out). Whether that can only compute is
        known at the end, when every assignment of the line has been seen."""
        self.expressions[(expression, shown[:80])] = None

    def finish(self) -> None:
        """Doubts the expressions that may run code."""
        for expression, shown in self.expressions:
            if not self.numbers.is_safe(expression):
                self.doubt("arithmetic", text=shown)

    def add(self, command: Command) -> None:
        self.commands.append(command)
        self.check()

    def check(self) -> None:
        """Raises BoundsError where a bound is passed."""
        if len(self.commands) > MOST_COMMANDS or time.monotonic() > self.until:
            raise BoundsError

    def is_outside(self, path: str) -> bool:
        """Whether a literal path leads out of the working directory, as far as its text tells."""
        if not posixpath.isabs(path):
            return posixpath.normpath(path).split("/", 1)[0] == ".."
        if self.cwd is None:
            return True
        return posixpath.commonpath((posixpath.normpath(path), self.cwd)) != posixpath.normpath(self.cwd)

    def analysis(self) -> Analysis:
        return Analysis(
            commands=tuple(self.commands),
            uncertain=tuple(self.doubts),
            writes=tuple(self.writes),
            reads=tuple(self.reads),
            hosts=tuple(self.hosts),
            starts_mewcode=self.starts_mewcode,
            classes=frozenset[str]().union(*(command.classes for command in self.commands)),
        )
