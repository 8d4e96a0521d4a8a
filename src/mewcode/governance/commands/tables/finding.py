"""`find` and `fd`: searches that may run, remove and write."""

from dataclasses import replace

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.listing import found_by, of_find
from mewcode.governance.commands.options import read_arguments
from mewcode.governance.commands.program import Program, Table, names
from mewcode.governance.commands.tables.xargs import replaced
from mewcode.governance.commands.word import Word
from mewcode.governance.file_names import Drawn

_RUNS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
_WRITES = {"-fprint": 0, "-fprint0": 0, "-fls": 0, "-fprintf": 1}
_TAKES_VALUE = names(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -newer"
    " -anewer -cnewer -samefile -type -xtype -size -perm -user -group -uid -gid -mtime -atime"
    " -ctime -mmin -amin -cmin -links -inum -maxdepth -mindepth -printf -fstype -used -context"
    " -regextype -newermt -newerat -newerct"
)


def _find(call: Call) -> None:
    call.reads_only = True
    waiting = list(call.rest)
    while waiting:
        word = waiting.pop(0)
        if word.may_be_option:
            call.doubt_argument(word)
        elif word.text in _RUNS:
            waiting = _exec(call, waiting)
        elif word.text == "-delete":
            call.acts("@delete")
            call.readings.append("rm " + " ".join(part.quoted for part in call.rest))
        elif word.text in _WRITES:
            target = waiting[:1]
            waiting = waiting[1 + _WRITES[word.text] :]
            for file in target:
                call.write(file, f"find {word.text}", hidden=True)
        elif word.text in _TAKES_VALUE or word.text.startswith(("-newer", "-D")):
            waiting = waiting[1:]
        elif word.text == "-files0-from":
            call.doubt("option_runs", option=word.text)
        elif not word.text.startswith("-"):
            call.read(word)
    call.printed = of_find(call)


def _found(word: Word, names: Drawn | None) -> Word:
    """A word of the command with `{}` in it: alone it is one of the files found."""
    put = replaced(word, "{}", prefix="./")
    return replace(put, names=names) if word.text == "{}" else put


def _exec(call: Call, waiting: list[Word]) -> list[Word]:
    """Runs the words up to `;` or `{} +`; gives what follows."""
    end = next(
        (
            at
            for at, word in enumerate(waiting)
            if word.text == ";" or (word.text == "+" and at and waiting[at - 1].text.endswith("{}"))
        ),
        len(waiting),
    )
    names = found_by(call)
    payload = [_found(word, names) for word in waiting[:end]]
    call.reads_only = False
    call.transparent = True
    if payload:
        call.run(payload)
    return waiting[end + 1 :]


_FD_VALUES = Program(
    takes_value=(
        "-e",
        "-t",
        "-d",
        "-E",
        "-c",
        "-j",
        "-S",
        "-o",
        "--extension",
        "--type",
        "--max-depth",
        "--exclude",
        "--base-directory",
    )
)


def _fd(call: Call) -> None:
    """`-x COMMAND` and `-X COMMAND` take the rest of the line."""
    call.reads_only = True
    words = call.rest
    at = next((at for at, word in enumerate(words) if word.text.startswith(("-x", "-X", "--exec"))), None)
    clusters = [
        word for word in words if word.text.startswith("-") and not word.text.startswith("--") and len(word.text) > 2
    ]
    if any(letter in word.text[2:] for word in clusters for letter in "xX"):
        call.doubt("option_runs", option="-x")
    for word in read_arguments(words[:at], _FD_VALUES).doubtful:
        call.doubt_argument(word)
    if at is None:
        return
    call.reads_only, call.transparent = False, True
    attached = words[at].text.partition("=")[2] or (words[at].text[2:] if not words[at].text.startswith("--") else "")
    if attached:
        call.doubt("option_runs", option=words[at].text)
    payload = [replaced(word, "{", prefix="./") for word in words[at + 1 :]]
    if payload:
        call.run([*payload, Word("…", literal=False, prefix="./")])


PROGRAMS: Table = {"find": Program(handler=_find), "fd": Program(handler=_fd), "fdfind": Program(handler=_fd)}
