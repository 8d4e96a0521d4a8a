"""Judges one simple command: finds its program in the tables and lets the tables speak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mewcode.governance.commands import listing, tables
from mewcode.governance.commands.analysis import Beneath, Command
from mewcode.governance.commands.call import STANDARD_DIRECTORIES, Call
from mewcode.governance.commands.options import read_arguments
from mewcode.governance.commands.program import Program, names
from mewcode.governance.commands.word import Word, known
from mewcode.governance.file_names import EVERY_NAME

if TYPE_CHECKING:
    from mewcode.governance.commands.flow import Flow
    from mewcode.governance.commands.walker import Walker

_DESTRUCTIVE = frozenset(("@delete", "@disk", "@unrecoverable"))
_RESERVED = names("{ } ! [[ ]] ]] if then elif else fi for select case esac while until do done in function coproc ( )")


def judge(words: list[Word], flow: Flow, walker: Walker) -> None:
    """Adds the command that `words` make to the findings, and whatever it runs itself."""
    if not words:
        return
    head = words[0]
    if not head.literal or not head.text:
        _unknown_head(words, flow, walker)
        return
    directory, _, base = head.text.rpartition("/")
    if base in _RESERVED or head.text.startswith("-"):
        walker.findings.doubt("reserved", word=base)
    name, program = tables.find(base)
    arguments = read_arguments(words[1:], program or Program())
    call = Call(name, words, arguments, flow, walker)
    if base in walker.variables.functions and not directory:
        _function(call, program)
    elif program is None:
        _unlisted(call)
    else:
        _listed(call, program)
    walker.printed = listing.of_output(call) if call.printed is None else call.printed
    if directory and directory not in STANDARD_DIRECTORIES:
        call.acts()
    walker.findings.add(call.command())


def _unknown_head(words: list[Word], flow: Flow, walker: Walker) -> None:
    """Nobody knows what runs; where a wildcard stands for it, every program that it may name is read."""
    walker.findings.doubt("command_word", word=words[0].text[:60])
    tail = " ".join(word.quoted for word in words[1:])
    names = words[0].might_be(tables.names())
    classes = flow.classes.union(*(tables.find(name)[1].classes for name in names))  # pyright: ignore[reportOptionalMemberAccess]
    text = " ".join(word.quoted for word in words)
    command = Command(
        name="",
        words=tuple(word.text for word in words),
        text=text,
        readings=tuple(f"{name} {tail}".rstrip() for name in names),
        classes=classes,
        literal=False,
        opaque=True,
        remote=flow.remote,
        via=flow.via,
    )
    walker.findings.add(command)


def _function(call: Call, program: Program | None) -> None:
    """Its body was judged where it was defined, with unknown arguments."""
    call.transparent = True
    if program is not None or call.walker.findings.starts_mewcode:
        call.doubt("shadow", name=call.name)
    call.walker.variables.forget_all()
    call.walker.variables.directory = None


def _unlisted(call: Call) -> None:
    """A program that no table knows: every argument has to be known. Where a program stands among them, it may be what
    is run: rules that tighten mean it, too."""
    for at, word in enumerate(call.rest):
        call.read(word)
        if not word.literal:
            call.doubt_argument(word)
        elif (inner := tables.find(word.text.rpartition("/")[2])[1]) is not None:
            words = [word.text.rpartition("/")[2], *(later.quoted for later in call.rest[at + 1 :])]
            call.readings.append(" ".join(words))
            call.classes.update(inner.classes & _DESTRUCTIVE)


def _listed(call: Call, program: Program) -> None:
    call.classes.update(program.classes)
    call.reads_only = program.inert or program.reads
    _options(call, program)
    _operands(call, program)
    if program.handler is not None:
        program.handler(call)
    elif not program.inert:
        for word in call.arguments.doubtful:
            call.doubt_argument(word)


def _options(call: Call, program: Program) -> None:
    for option in call.arguments.options:
        shown = f"{call.name} {option.name}"
        if option.name in program.writes and option.value is not None:
            call.write(option.value, shown, hidden=True)
        if option.name in program.runs:
            call.acts()
            call.doubt("option_runs", option=option.name)
        if option.name in program.reads_files and option.value is not None:
            call.read(option.value, shown)
        if option.name in program.acts:
            call.acts(*program.acts[option.name])
        chooses = program.file_names is not None and option.name in _CHOOSING
        if option.value is not None and option.name.startswith("--") and not (chooses or option.name in program.writes):
            call.read(option.value, shown)


_CHOOSING = frozenset(("--include", "--exclude", "--exclude-dir", "--glob", "--iglob"))
"""Options whose value is a pattern of names and no file."""


def _beneath(call: Call, program: Program) -> Beneath:
    """Whether it reads what lies beneath the folders that it is given."""
    arguments = call.arguments
    if program.descends is None or (program.descends and not arguments.has(*program.descends)):
        return ""
    return "visible" if program.skips_hidden and not arguments.has(*program.skips_hidden) else "all"


def _searched(call: Call) -> list[Word]:
    """The operands of a search that are files: the first is what it searches for, unless an option gave that. Where an
    option that takes a value is not known here, that value counts as the first, and no file is passed over."""
    gave = call.arguments.has("-e", "-f", "--regexp", "--file", "--files")
    return call.arguments.operands[0 if gave else 1 :]


def _operands(call: Call, program: Program) -> None:
    operands = _searched(call) if program.searches_here else call.arguments.operands
    if program.operands == "none":
        return
    beneath = _beneath(call, program)
    names = program.file_names(call.arguments) if beneath and program.file_names else EVERY_NAME
    written = {"read": [], "write": operands, "copy": operands[-1:]}[program.operands]
    for word in operands:
        if not any(word is target for target in written):
            call.read(word, beneath=beneath, names=names)
    if beneath and program.searches_here and call.flow.stdin is None and not operands:
        call.read(known("."), beneath=beneath, names=names)
    for word in written:
        call.write(word, call.name)
    if program.operands == "copy" and call.arguments.has("-t", "--target-directory"):
        for target in call.arguments.values("-t", "--target-directory"):
            call.write(target, call.name)
