"""Programs that look at files and at the machine, each with some option that does more than look."""

import re

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.program import Program, Table, classes, same
from mewcode.governance.commands.word import known, known_later

_EXIF_LOOKS = re.compile(
    r"-(?:s\d?|S|j(?:son)?|G[\d:]*|g[\d:]*|a|n|h|b|X|csv|r|q|u|U|T|v\d?|ver|ee\d?|fast\d?|common|all|ext|[A-Z]\w+)"
)
"""Options of exiftool that print; with `=` in it, one writes a tag."""
_LOOKED_UP = frozenset({"hosts", "ahosts", "ahostsv4", "ahostsv6", "networks"})


def _doubt_unknown(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)


def _binary(call: Call) -> None:
    """`@FILE` among the words of a program of binutils is a file with more options."""
    _doubt_unknown(call)
    for word in call.rest:
        if word.prefix.startswith("@"):
            call.doubt("option_runs", option=word.text[:60])


def _ldd(call: Call) -> None:
    """It may start the program that it looks at (ldd(1), Security)."""
    _doubt_unknown(call)
    call.reads_only = False
    call.opaque = True


def _image(call: Call) -> None:
    """ImageMagick takes `|COMMAND`, `ephemeral:FILE` (and removes it), `msl:SCRIPT`, URLs and `@FILE` for images."""
    _doubt_unknown(call)
    for word in call.arguments.operands:
        if re.match(r"[|@]|\w+:", word.text):
            call.acts("@network")
            call.doubt("option_runs", option=word.text[:60])


def _exiftool(call: Call) -> None:
    _doubt_unknown(call)
    for word in call.rest:
        if not word.text.startswith("-"):
            call.read(word)
        elif not _EXIF_LOOKS.fullmatch(word.text):
            call.acts("@overwrite")
            call.doubt("option_runs", option=word.text[:60])


def _ptx(call: Call) -> None:
    """`ptx -G IN OUT` writes OUT."""
    _doubt_unknown(call)
    if call.arguments.has("-G", "--traditional"):
        for word in call.arguments.operands[1:2]:
            call.write(word, call.name, hidden=True)


def _gron(call: Call) -> None:
    """It fetches a URL."""
    _doubt_unknown(call)
    for word in call.arguments.operands:
        if "://" in word.text:
            call.acts("@network")
            call.host(word.text.partition("://")[2].partition("/")[0].rpartition("@")[2])


def _getent(call: Call) -> None:
    """Looking a name up asks a server, and the name tells it something."""
    _doubt_unknown(call)
    if any(word.text in _LOOKED_UP or not word.literal for word in call.arguments.operands[:1]):
        call.acts("@network")


def _hostname(call: Call) -> None:
    """A name given to it becomes the machine's."""
    _doubt_unknown(call)
    if call.arguments.operands:
        call.acts("@system_write")


def _date(call: Call) -> None:
    """Without a `+` an operand is the time to set."""
    _doubt_unknown(call)
    if any(not word.prefix.startswith("+") for word in call.arguments.operands):
        call.acts("@system_write")


def _lists_files(call: Call) -> None:
    """Options name a file that names the files to read."""
    for name in ("--files0-from", "-c", "--check"):
        for word in call.arguments.values(name):
            call.read(known_later(word), f"{call.name} {name}")


def _query(call: Call) -> None:
    """A program for jq or yq may load other files: `import "secrets" as $s`, `load_str(".env")`."""
    _doubt_unknown(call)
    if any(re.search(r"\b(?:import|include|str)?load\w*\b|\b(?:import|include)\b", word.text) for word in call.rest):
        call.read(known_later(known("its program")), call.name)


PROGRAMS: Table = {
    **same(
        Program(
            reads=True, operands="read", runs=("--diff-program",), writes=("-o", "--output"), handler=_doubt_unknown
        ),
        "diff3 sdiff",
    ),
    "diff": Program(inert=True, operands="read", descends=("-r", "--recursive")),
    **same(
        Program(reads=True, operands="read", runs=("--plugin",), handler=_binary),
        "nm objdump size readelf strings addr2line c++filt",
    ),
    "ldd": Program(operands="read", handler=_ldd),
    "identify": Program(reads=True, operands="read", runs=("-write", "-script"), handler=_image),
    "exiftool": Program(reads=True, handler=_exiftool),
    "ptx": Program(reads=True, operands="read", handler=_ptx),
    "cloc": Program(
        reads=True,
        operands="read",
        runs=("--vcs", "--extract-with", "--config", "--read-lang-def", "--force-lang-def", "--md5", "--git-diff-rel"),
        writes=("--out", "--report-file", "--write-lang-def", "--ignored", "--counted", "--found", "--categorized"),
        reads_files=("--list-file", "--exclude-list-file"),
        handler=_doubt_unknown,
    ),
    **same(
        Program(reads=True, operands="read", writes=("-o", "--output"), handler=_doubt_unknown),
        "scc tokei",
    ),
    "gron": Program(reads=True, operands="read", handler=_gron),
    **same(Program(inert=True, operands="read", writes=("-o", "--output")), "base64 base32 basenc"),
    **same(
        Program(inert=True, operands="read", takes_value=("--files0-from",), handler=_lists_files),
        "wc du",
    ),
    "ss": Program(
        reads=True,
        acts={"-K": classes("@kill"), "--kill": classes("@kill")},
        writes=("-D", "--diag"),
        reads_files=("-F", "--filter"),
        handler=_doubt_unknown,
    ),
    "lsof": Program(reads=True, acts={"-D": classes("@overwrite")}, handler=_doubt_unknown),
    "cowsay": Program(reads=True, runs=("-f",), handler=_doubt_unknown),
    "cowthink": Program(reads=True, runs=("-f",), handler=_doubt_unknown),
    "getent": Program(reads=True, handler=_getent),
    "lastlog": Program(
        reads=True,
        acts={name: classes("@system_write") for name in ("-C", "-S", "--clear", "--set")},
        handler=_doubt_unknown,
    ),
    "hostname": Program(
        reads=True,
        acts={name: classes("@system_write") for name in ("-F", "--file", "-b", "--boot")},
        handler=_hostname,
    ),
    "date": Program(
        reads=True,
        takes_value=("-d", "--date", "-I", "--iso-8601", "-v"),
        reads_files=("-f", "--file", "-r", "--reference"),
        acts={"-s": classes("@system_write"), "--set": classes("@system_write")},
        handler=_date,
    ),
    "jq": Program(inert=True, operands="read", handler=_query, takes_value=("-L", "-f", "--from-file")),
    "yq": Program(
        reads=True,
        operands="read",
        acts={name: classes("@overwrite") for name in ("-i", "--inplace", "--in-place", "-s", "--split-exp")},
        handler=_query,
    ),
}
