"""Bash's own commands that are not about variables (bash manual, 4)."""

import itertools
import os
import re
from dataclasses import replace
from functools import partial

from mewcode.governance.commands.call import Call, text_word
from mewcode.governance.commands.program import Program, Table, same

_SET_OPTIONS = re.compile(r"[-+][abefhmnptuvxBCEHPT]+|[-+]?o|pipefail|errexit|nounset|xtrace|noglob|noclobber|--")


def _cd(call: Call) -> None:
    operands = call.arguments.operands
    variables = call.walker.variables
    target = operands[0] if operands else None
    if target is not None:
        call.read(replace(target, names=()))  # of no file is anything read
    home = variables.value("HOME") if not operands else None
    text = home if target is None else target.text if target.literal and target.text != "-" else None
    if text is None:
        variables.directory = None
    else:
        plain = len(operands) < 2 and all(option.name in ("-L", "-P") for option in call.arguments.options)
        certainly = plain and _THIS_SHELL.issuperset(call.flow.via)
        variables.move(text, partial(_is_there, call), certainly=certainly)


_THIS_SHELL = frozenset(("command", "builtin", "eval", "time"))
"""What may stand before `cd` and leave it the shell's own."""


def _is_there(call: Call, folder: str) -> bool:
    """Whether a change to the folder succeeds: it is there, and the line has not done anything yet."""
    findings = call.walker.findings
    idle = all(command.reads_only or command.transparent for command in findings.commands) and not findings.writes
    if findings.cwd is None or not idle:
        return False
    return os.access(os.path.join(findings.cwd, folder, "."), os.X_OK)  # noqa: PTH118


def _lost_directory(call: Call) -> None:
    call.walker.variables.directory = None


def _eval(call: Call) -> None:
    """Its words joined are a line of this shell."""
    call.transparent = True
    words = [word for at, word in enumerate(call.rest) if at or word.text != "--"]
    if words:
        call.run_text(text_word(words), same_shell=True)
    if not all(word.literal for word in words):
        call.walker.variables.forget_all()
        call.walker.findings.numbers.distrust_all()


def _trap(call: Call) -> None:
    """`trap 'line' EXIT` runs the line later."""
    call.transparent = True
    words = [word for word in call.rest if word.text not in ("--", "-l", "-p")]
    if words and words[0].text not in ("-", ""):
        with call.walker.variables.unknown(moves=False):
            call.run_text(words[0], same_shell=True)


def _set(call: Call) -> None:
    """Only the usual options pass; positional parameters are never known anyway."""
    for word in call.rest:
        if word.text == "--":
            break
        if not word.literal or (word.text[:1] in "-+" and not _SET_OPTIONS.fullmatch(word.text)):
            call.doubt("changes_shell")
    if any(word.text in ("-a", "-k", "allexport", "keyword") for word in call.rest):
        call.doubt("changes_shell")


def _changes_shell(call: Call) -> None:
    call.reads_only = False
    call.doubt("changes_shell")


def _test(call: Call) -> None:
    """`-v a[…]` evaluates its index."""
    words = call.rest
    for option, value in itertools.pairwise(words):
        if option.text in ("-v", "-R") and not (value.literal and re.fullmatch(r"\w+", value.text)):
            call.doubt("arithmetic", text=value.text[:60])
        if (
            not option.literal
            and option.may_be_option
            and not (value.literal and re.fullmatch(r"[^\[$`]*", value.text))
        ):
            call.doubt("arithmetic", text=value.text[:60])


def _jobs(call: Call) -> None:
    """`jobs -x COMMAND` runs it."""
    words = call.rest
    at = next((at for at, word in enumerate(words) if re.fullmatch(r"-\w*x\w*", word.text) or not word.literal), None)
    if at is not None and words[at + 1 :]:
        call.transparent = True
        call.run(words[at + 1 :])


def _compgen(call: Call) -> None:
    call.doubt("changes_shell")


PROGRAMS: Table = {
    "cd": Program(inert=True, handler=_cd),
    "pushd": Program(inert=True, handler=_lost_directory),
    "popd": Program(inert=True, handler=_lost_directory),
    "eval": Program(handler=_eval),
    "trap": Program(handler=_trap),
    "set": Program(inert=True, handler=_set),
    "test": Program(inert=True, handler=_test),
    "[": Program(inert=True, handler=_test),
    **same(
        Program(inert=True),
        "break continue return exit shift dirs times umask ulimit caller bg fg disown type suspend logout help",
    ),
    **same(
        Program(handler=_changes_shell),
        "alias unalias shopt enable hash bind complete compopt fc history zmodload autoload setopt emulate",
    ),
    "jobs": Program(inert=True, handler=_jobs),
    "compgen": Program(handler=_compgen),
}
