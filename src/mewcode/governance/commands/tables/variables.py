"""Bash's own commands that set variables: names with an index run code, some names change what runs."""

import re

from mewcode.governance.commands.assignments import check_name
from mewcode.governance.commands.call import Call
from mewcode.governance.commands.program import Program, Table, same
from mewcode.governance.commands.word import Word

_NAME = re.compile(r"[A-Za-z_]\w*")
_SHAPE = re.compile(r"([A-Za-z_]\w*)(?:\+?=.*)?", re.DOTALL)


def _names(call: Call, words: list[Word]) -> None:
    for word in words:
        found = _SHAPE.fullmatch(word.text if word.literal else word.prefix)
        if found is None:
            call.doubt_argument(word)
            continue
        check_name(found[1], call.walker.findings)
        call.walker.findings.numbers.assign(found[1], word.text.partition("=")[2])
        if _runs_within(word.text.partition("=")[2]):
            call.doubt_argument(word)
        if not word.literal and "=" not in word.prefix:
            call.doubt_argument(word)


def _runs_within(value: str) -> bool:
    """Whether bash would read a quoted value once more, as the elements of an array: `declare -a 'x=($(ls))'`."""
    return value.startswith("(") and ("$" in value or "`" in value)


def _forget(call: Call, words: list[Word]) -> None:
    for word in words:
        name = _NAME.match(word.text)
        if name:
            call.walker.variables.assign(name[0], None)


def _declare(call: Call) -> None:
    """`declare -i` evaluates, `-n` makes another name of it. What a declaration in the line itself assigns is read
    by the walker; one behind `builtin` or `command` only makes its names unknown."""
    options = [word for word in call.rest if word.prefix[:1] in ("-", "+") and word.literal]
    if any(re.search(r"[in]", word.text) for word in options if not word.text.startswith("--")):
        call.doubt("changes_shell")
    if any("f" in word.text for word in options) and call.name != "unset":
        call.doubt("changes_shell")
    if any(re.search(r"[luc]", word.text) for word in options if not word.text.startswith("--")):
        call.walker.variables.distrust_all()  # what is assigned changes its case, now and later
    names = [word for word in call.rest if word not in options]
    _names(call, names)
    if call.flow.via or call.name == "unset":
        _forget(call, names)


def _read(call: Call) -> None:
    """Whatever comes in becomes the value of its names."""
    names = call.arguments.operands + call.arguments.values("-a")
    _names(call, names)
    call.walker.variables.forget_all()
    call.walker.findings.numbers.distrust_all()


def _mapfile(call: Call) -> None:
    if call.arguments.has("-C"):
        call.doubt("option_runs", option="-C")
    _read(call)


def _getopts(call: Call) -> None:
    _names(call, call.arguments.operands[1:2])
    call.walker.variables.forget_all()
    call.walker.findings.numbers.distrust_all()


def _printf(call: Call) -> None:
    first = call.rest[0] if call.rest else None
    if first is not None and (first.may_be_option or first.prefix.startswith("-v")):
        name = first.after(2) if len(first.prefix) > 2 else call.rest[1] if len(call.rest) > 1 else first
        _names(call, [name])
        _forget(call, [name])
        call.walker.findings.numbers.distrust_all()
    if any("%n" in word.text for word in call.rest[:1]):
        call.walker.variables.forget_all()
    call.walker.findings.numbers.distrust_all()


def _let(call: Call) -> None:
    for word in call.rest:
        call.walker.findings.evaluates(word.text, word.text)
        if not word.literal:
            call.doubt("arithmetic", text=word.text[:60])
    call.walker.variables.forget_all()


def _wait(call: Call) -> None:
    _names(call, call.arguments.values("-p"))


PROGRAMS: Table = {
    **same(Program(inert=True, handler=_declare), "export declare typeset local readonly unset"),
    "read": Program(inert=True, takes_value=("-a", "-d", "-i", "-n", "-N", "-p", "-t", "-u"), handler=_read),
    **same(
        Program(inert=True, takes_value=("-d", "-n", "-O", "-s", "-u", "-C", "-c"), handler=_mapfile),
        "mapfile readarray",
    ),
    "getopts": Program(inert=True, handler=_getopts),
    "printf": Program(inert=True, handler=_printf),
    "let": Program(inert=True, handler=_let),
    "wait": Program(inert=True, takes_value=("-p",), handler=_wait),
}
