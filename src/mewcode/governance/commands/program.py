"""What the tables say about a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from mewcode.governance.commands.call import Call
    from mewcode.governance.commands.options import Arguments
    from mewcode.governance.file_names import FileNames

Handler: TypeAlias = "Callable[[Call], None]"
Operands: TypeAlias = Literal["none", "read", "write", "copy"]
"""What operands are: nothing to do with files, files read, files written, or files read and (last) written."""


@dataclass(frozen=True)
class Program:
    """One program. Options are written as on the command line, `-o` or `--output`.

    `inert`: no option of it acts, so any argument may be known at run time only.
    `reads`: it only reads and prints, unless one of the acting options below is given.
    """

    inert: bool = False
    reads: bool = False
    operands: Operands = "none"
    classes: frozenset[str] = frozenset()
    takes_value: tuple[str, ...] = ()
    """Options whose value may be the next word (only those that matter for reading the rest right)."""
    writes: tuple[str, ...] = ()
    """Options whose value is a file that is written."""
    runs: tuple[str, ...] = ()
    """Options whose value is run, or loaded as code: no rule can allow them."""
    reads_files: tuple[str, ...] = ()
    """Options whose value is a file that is read."""
    descends: tuple[str, ...] | None = None
    """Options with which it reads all that lies beneath a folder; empty: it always does, None: it never does."""
    skips_hidden: tuple[str, ...] | None = None
    """Where it passes over hidden files: the options with which it does not."""
    searches_here: bool = False
    """Its first operand is a pattern; without another one it reads the folder that it runs in."""
    file_names: Callable[[Arguments], FileNames] | None = None
    """Where options choose among the files beneath a folder by name."""
    acts: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Options that make it act, with the classes they add."""
    single_dash_long: bool = False
    """Long options have one dash (`find -delete`), so that no word is a cluster of letters."""
    handler: Handler | None = None
    """Looks at the call itself, after the options have been read."""


Table: TypeAlias = Mapping[str, Program]


def names(text: str) -> frozenset[str]:
    """Blank-separated names: tables of them read better as text."""
    return frozenset(text.split())


def classes(*names: str) -> frozenset[str]:
    return frozenset(names)


def same(program: Program, names: str) -> dict[str, Program]:
    """A table in which every one of the blank-separated names is `program`."""
    return dict.fromkeys(names.split(), program)
