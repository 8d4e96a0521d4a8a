"""`xargs`: a command whose last words come from somewhere else."""

from dataclasses import replace

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.flow import Input
from mewcode.governance.commands.options import Arguments, read_arguments
from mewcode.governance.commands.program import Program, Table
from mewcode.governance.commands.word import UNKNOWN_WORDS, Word, known

_OPTIONS = Program(
    takes_value=(
        *(
            "-a",
            "--arg-file",
            "-d",
            "--delimiter",
            "-E",
            "-I",
            "-L",
            "--max-lines",
            "-n",
            "--max-args",
            "-P",
            "--max-procs",
        ),
        *("-s", "--max-chars", "-R", "-S", "-J", "--process-slot-var"),
    )
)


def _xargs(call: Call) -> None:
    arguments = read_arguments(call.rest, _OPTIONS, stop_at_operand=True)
    for word in arguments.doubtful:
        call.doubt_argument(word)
    for file in arguments.values("-a", "--arg-file"):
        call.read(file)
    if arguments.has("--process-slot-var"):
        call.doubt("option_runs", option="--process-slot-var")
    call.transparent = True
    payload = arguments.operands or [known("echo")]
    place = _place(arguments)
    stdin = call.flow.stdin
    names = stdin.names if stdin and not arguments.has("-a", "--arg-file") else None
    if place:
        words = [replace(replaced(word, place), names=names if word.text == place else None) for word in payload]
    else:
        words = [*payload, replace(UNKNOWN_WORDS, names=names)]
    call.run(words, stdin=Input() if call.flow.stdin else None)


def _place(arguments: Arguments) -> str | None:
    """The text that each line of the input takes the place of."""
    for option in arguments.options:
        if option.name in ("-I", "-J") and option.value is not None:
            return option.value.text
        if option.name in ("-i", "--replace"):
            return option.value.text if option.value else "{}"
    return None


def replaced(word: Word, place: str, prefix: str = "") -> Word:
    """`word` with `place` known only at run time; each occurrence begins with `prefix`."""
    if place not in word.text:
        return word
    return replace(word, literal=False, wild=False, prefix=word.text.partition(place)[0] + prefix)


PROGRAMS: Table = {"xargs": Program(handler=_xargs)}
