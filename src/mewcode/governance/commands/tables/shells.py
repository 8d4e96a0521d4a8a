"""Shells: `-c` text, a script, or whatever stands on standard input."""

import re
from dataclasses import replace

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.flow import Flow, Input
from mewcode.governance.commands.program import Program, Table, same
from mewcode.governance.commands.word import Word, known

_BASH_ONLY = re.compile(r"\[\[|(?<!\$)\(\(|\$['\"]|&>|\|&|[<>]\(|<<<|\bfunction\b|\bcoproc\b|\bselect\b")
"""A POSIX shell reads these otherwise: to dash, `[[ a || rm x ]]` is two commands."""
_OTHER_SYNTAX = frozenset(
    ("zsh", "fish", "csh", "tcsh", "ksh", "mksh", "nu", "pwsh", "powershell", "elvish", "xonsh", "cmd")
)
_NOT_FILES = ("/dev/", "/proc/")


def posix_text(call: Call, text: Word) -> None:
    """`text` is run by `/bin/sh`."""
    if _BASH_ONLY.search(text.text):
        call.doubt("structure", text=text.text[:60])
    call.run_text(text)


def run_script(call: Call, word: Word) -> None:
    """The program runs the code in a file. Only a rule that names the command may allow it; none may where the file
    is a pipe or the line writes it."""
    call.opaque = True
    call.read(word)
    made = any(use.path == word.text for use in call.walker.findings.writes)
    if word.substitution or not word.literal or made or word.text.startswith(_NOT_FILES) or word.text == "-":
        call.doubt("runs_file", word=word.text[:60])


def _shell(call: Call) -> None:
    call.transparent = False
    has_text, reads_input, operands = _invocation(call)
    call.reads_only = False
    if operands is None:
        return
    if has_text:
        text = operands[0] if operands else known("")
        call.transparent = True
        _text(call, text)
        return
    if operands and not reads_input:
        run_script(call, operands[0])
        return
    _input(call)


def _invocation(call: Call) -> tuple[bool, bool, list[Word] | None]:
    """Whether `-c` and `-s` are there, and the operands; None where an option is not known before it runs."""
    waiting = list(call.rest)
    has_text = reads_input = False
    while waiting:
        word = waiting[0]
        if word.may_be_option and not word.prefix.startswith(("-", "+")):
            call.doubt_argument(word)
            return has_text, reads_input, waiting
        if word.prefix[:1] not in ("-", "+") or word.text == "-":
            break
        waiting.pop(0)
        if word.text == "--":
            break
        if not word.literal:
            call.doubt_argument(word)
        if word.text.startswith("--"):
            if word.text.startswith(("--rcfile", "--init-file", "--login")):
                call.doubt("option_runs", option=word.text)
                waiting = waiting[1:] if "=" not in word.text and word.text != "--login" else waiting
            continue
        letters = word.text[1:]
        has_text = has_text or ("c" in letters and word.text[0] == "-")
        reads_input = reads_input or "s" in letters
        if "l" in letters or "i" in letters:
            call.doubt("option_runs", option=word.text)
        if letters.endswith(("o", "O")):
            waiting = waiting[1:]
    return has_text, reads_input, waiting


def _text(call: Call, text: Word) -> None:
    if call.name in _OTHER_SYNTAX or (call.name != "bash" and _BASH_ONLY.search(text.text)):
        call.doubt("structure", text=text.text[:60])
    call.run_text(text)


def _input(call: Call) -> None:
    stdin = call.flow.stdin
    if stdin is None:
        return
    if stdin.text is None:
        call.doubt("stdin_code")
        return
    call.transparent = True
    flow = call.flow.inside(call.name)
    if call.name != "bash" and _BASH_ONLY.search(stdin.text):
        call.doubt("structure", text=stdin.text[:60])
    call.walker.nested(stdin.text, _with_unknown_input(flow))


def _with_unknown_input(flow: Flow) -> Flow:
    """Commands of a script on standard input read the rest of the script."""
    return replace(flow, stdin=Input())


def _source(call: Call) -> None:
    call.reads_only = False
    call.walker.variables.forget_all()
    call.walker.findings.numbers.distrust_all()
    call.walker.variables.directory = None
    words = [word for word in call.rest if word.text != "--"]
    if words:
        run_script(call, words[0])


PROGRAMS: Table = {
    **same(
        Program(handler=_shell),
        "sh bash dash ash rbash zsh fish csh tcsh ksh mksh hush nu pwsh powershell elvish xonsh cmd lksh yash",
    ),
    "source": Program(handler=_source),
    ".": Program(handler=_source),
}
