"""`sed` and `awk`: small languages that can write files and run commands."""

import re

from mewcode.governance.commands.awk import awk_skeleton
from mewcode.governance.commands.call import Call
from mewcode.governance.commands.options import Arguments, read_arguments
from mewcode.governance.commands.program import Program, Table, same
from mewcode.governance.commands.sed import SedError, read_sed
from mewcode.governance.commands.tables.shells import posix_text
from mewcode.governance.commands.word import Word, known

_AWK_RUNS = re.compile(r"\bsystem\b|\bgetline\b|\||@|\bextension\b")
_SUFFIX = re.compile(r"(-[nErsuz]*i).+")


def _sed(call: Call) -> None:
    call.reads_only = True
    call.arguments = read_arguments([_without_suffix(call, word) for word in call.rest], _SED)
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    scripts = call.arguments.values("-e", "--expression")
    operands = list(call.arguments.operands)
    for file in call.arguments.values("-f", "--file"):
        call.read(file)
        call.opaque = True
        call.acts()
        call.doubt("option_runs", option="-f")
    if not scripts and not call.arguments.has("-f", "--file"):
        scripts, operands = operands[:1], operands[1:]
    for script in scripts:
        _sed_script(call, script)
    in_place = any(option.name in ("-i", "--in-place") for option in call.arguments.options)
    if in_place:
        call.acts("@overwrite")
    for file in operands:
        call.read(file)
        if in_place:
            call.write(file, "sed -i")


def _without_suffix(call: Call, word: Word) -> Word:
    """`-i.bak`: the rest of the word is a suffix, not options."""
    found = _SUFFIX.fullmatch(word.text)
    if "/" in word.text and word.text.startswith(("-i", "--in-place")):
        call.doubt_argument(word)
    return known(found[1]) if found and word.literal else word


def _sed_script(call: Call, script: Word) -> None:
    if not script.literal:
        call.doubt_argument(script)
        return
    try:
        acts = read_sed(script.text)
    except SedError:
        call.doubt("script", text=script.text[:60])
        call.acts()
        return
    for file in acts.writes:
        call.write(known(file), "sed w", hidden=True)
    for file in acts.reads:
        call.read(known(file))
    for line in acts.runs:
        call.acts()
        if line:
            posix_text(call, known(line))
        else:
            call.doubt("script", text=script.text[:60])


def _awk(call: Call) -> None:
    call.reads_only = True
    arguments: Arguments = call.arguments
    for word in arguments.doubtful:
        call.doubt_argument(word)
    for option in arguments.options:
        if option.name in ("-f", "--file", "-i", "--include", "-l", "--load", "-E", "--exec"):
            call.acts()
            call.opaque = True
            call.doubt("option_runs", option=option.name)
        if option.name in ("-o", "-p", "-d", "--pretty-print", "--profile", "--dump-variables", "-D", "--debug"):
            call.acts()
            call.doubt("option_runs", option=option.name)
    programs = [
        *arguments.values("-e", "--source"),
        *([] if arguments.has("-e", "--source", "-f", "--file") else arguments.operands[:1]),
    ]
    for program in programs:
        _awk_program(call, program)
    for file in arguments.operands[0 if arguments.has("-e", "--source", "-f", "--file") else 1 :]:
        call.read(file)


def _awk_program(call: Call, program: Word) -> None:
    """Whatever may run or write is doubted: the strings that it would run are made at run time."""
    if not program.literal:
        call.doubt_argument(program)
        return
    text = awk_skeleton(program.text)
    prints = text.find("print")
    if _AWK_RUNS.search(text.replace("||", "")) or (prints >= 0 and re.search(r">(?!=)", text[prints:])):
        call.acts()
        call.doubt("script", text=program.text[:60])


_SED = Program(
    takes_value=("-e", "--expression", "-l", "--line-length"),
    reads_files=("-f", "--file"),
    acts={"--in-place": frozenset()},
    handler=_sed,
)
_AWK = Program(
    takes_value=("-F", "--field-separator", "-v", "--assign", "-e", "--source"),
    reads_files=("-f", "--file", "-i", "--include", "-l", "--load", "-E", "--exec"),
    handler=_awk,
)
PROGRAMS: Table = {"sed": _SED, "ssed": _SED, **same(_AWK, "awk gawk mawk nawk original-awk")}
