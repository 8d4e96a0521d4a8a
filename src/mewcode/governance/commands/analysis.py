"""What the analysis of a command line says: its commands, the files and hosts it touches, and what stays uncertain."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mewcode.governance.file_names import EVERY_NAME, Drawn, FileNames

Beneath: TypeAlias = Literal["", "visible", "all"]


@dataclass(frozen=True)
class FileUse:
    """A file that a command line reads or writes.

    `path` is the path after quote removal, joined to a literal `cd` before it; not resolved. `literal` is False where
    the path is only known at run time. `how` names the redirection or option. `hidden` is True where the command's
    name does not tell of the write (a redirection, `sort -o`): a rule that allows the command does not cover it. It is
    False for the plain purpose of a command (`touch FILE`). `beneath` says what else is read where the path is a
    folder: all that lies beneath it, or what is no hidden file; `names` narrows that. `wild` is True where `path` is a
    pattern of the shell and nothing else about it is unknown. `own_beneath` is `beneath`, except where only what git
    keeps is read. `drawn` are the files among which a path will turn out to be that is known only at run time.
    """

    path: str
    literal: bool = True
    how: str = ""
    hidden: bool = False
    beneath: Beneath = ""
    names: FileNames = EVERY_NAME
    wild: bool = False
    own_beneath: Beneath = ""
    drawn: Drawn = ()


@dataclass(frozen=True)
class Command:
    """One simple command of a line, at any depth.

    `name` is the basename of the command word after quote removal, "" where it is only known at run time.
    `text` is the canonical command: words after quote removal, git's global options taken out, words with blanks
    quoted; the first word keeps its directory unless that is a standard one, since `./ls` is not `ls`.
    `readings` are all canonical texts that the command could have (basename, glob matches, what it amounts to:
    `unlink x` also reads `rm x`): deny and ask rules match any of them, allow rules only `text`.
    """

    name: str
    words: tuple[str, ...]
    text: str
    readings: tuple[str, ...] = ()
    classes: frozenset[str] = frozenset()
    literal: bool = True
    """Every word is known before the line runs."""
    reads_only: bool = False
    """Nothing but reading and printing, whatever its operands are."""
    transparent: bool = False
    """It only runs the command inside it, which is judged itself: no allow rule is needed for the wrapper."""
    opaque: bool = False
    """It runs code that the analysis cannot read (`python -c`): only a rule that names the command may allow it."""
    remote: bool = False
    """It runs on another machine or in a container."""
    via: tuple[str, ...] = ()
    """The wrappers around it, outermost first."""


@dataclass(frozen=True)
class Analysis:
    """`uncertain` holds the reasons why no rule may allow the line, as sentences for people; empty when it is clear."""

    commands: tuple[Command, ...] = ()
    uncertain: tuple[str, ...] = ()
    writes: tuple[FileUse, ...] = ()
    reads: tuple[FileUse, ...] = ()
    hosts: tuple[str, ...] = ()
    starts_mewcode: bool = False
    classes: frozenset[str] = field(default_factory=frozenset[str])
    """The classes of all commands together."""

    @property
    def reads_only(self) -> bool:
        """The whole line only reads and prints: it may run where reading may."""
        harmless = all(command.reads_only or command.transparent for command in self.commands)
        return harmless and not (self.uncertain or self.writes or self.starts_mewcode)
