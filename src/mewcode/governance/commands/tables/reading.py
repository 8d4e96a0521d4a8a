"""Programs that read and print."""

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.options import Arguments
from mewcode.governance.commands.program import Program, Table, classes, same
from mewcode.governance.commands.word import Word, known, known_later
from mewcode.governance.file_names import FileNames, is_plain

_INERT_READERS = same(
    Program(inert=True, operands="read"),
    "cat tac head tail nl cut tr paste join comm cmp fold fmt expand unexpand column colrm rev"
    " od hexdump zcat zgrep zegrep zfgrep bzcat xzcat zstdcat lz4cat stat ls dir vdir readlink"
    " realpath md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5 df"
    " exa eza lsd look tsort numfmt factor pr isutf8 vis lsattr getfacl getfattr pathchk",
)
_INERT = same(
    Program(inert=True),
    "echo true false : pwd basename dirname seq yes sleep expr test_ whoami id groups users who w uname nproc"
    " uptime free vmstat iostat lscpu lsblk ps pgrep pidof pstree tty printenv which whereis type_ locale getconf"
    " cal ncal banner figlet tput_ infocmp_ logname hostid last netstat lsusb lspci lsmod"
    " tzselect_ nologin sw_vers ulimit_ ipcs",
)


def _uniq(call: Call) -> None:
    """`uniq IN OUT` writes OUT."""
    for word in call.arguments.operands[1:]:
        call.write(word, call.name, hidden=True)
    if call.arguments.doubtful:
        call.doubt_argument(call.arguments.doubtful[0])


def _second_operand_is_written(call: Call) -> None:
    for word in call.arguments.operands[1:2]:
        call.write(word, call.name, hidden=True)
    for word in call.arguments.doubtful:
        call.doubt_argument(word)


def _ripgrep(call: Call) -> None:
    """`--pre` and `--hostname-bin` run programs; a value behind a space is read as well."""
    for word in call.arguments.doubtful:
        call.doubt_argument(word)


def _grep_names(arguments: Arguments) -> FileNames:
    """Where `--include` and `--exclude` stand together, the last one that fits wins: that is not told apart here."""
    only, but = arguments.values("--include"), arguments.values("--exclude")
    return FileNames(
        _patterns(only) if not but else (),
        _each(but) if not only else (),
        _each(arguments.values("--exclude-dir")),
    )


def _ripgrep_names(arguments: Arguments) -> FileNames:
    return FileNames(_patterns(arguments.values("-g", "--glob")) if not arguments.has("--iglob") else ())


def _patterns(words: list[Word]) -> tuple[str, ...]:
    """Those that choose; none where one of them may choose more than it says here."""
    known = _each(words)
    return known if len(known) == len(words) else ()


def _each(words: list[Word]) -> tuple[str, ...]:
    return tuple(word.text for word in words if word.literal and is_plain(word.text))


def _bat(call: Call) -> None:
    """`bat cache` writes the program's own cache; a folder for it loads what lies there."""
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    if any(word.text == "cache" for word in call.arguments.operands[:1]):
        call.acts("@system_write")


def _xmllint(call: Call) -> None:
    """A document may have these put other files in its place."""
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    if call.arguments.has("--noent", "--xinclude", "--loaddtd", "--dtdattr", "--valid", "--dropdtd"):
        call.read(known_later(known("a document")), "xmllint")


def _pager(call: Call) -> None:
    """`+COMMAND` is what it does first, and `!` among its commands starts a shell."""
    for word in call.rest:
        if word.prefix.startswith("+"):
            call.doubt("option_runs", option=word.text[:40])
        elif word.may_be_option:
            call.doubt_argument(word)


PROGRAMS: Table = {
    **_INERT_READERS,
    **_INERT,
    **same(
        Program(
            inert=True,
            operands="read",
            takes_value=(
                *("-e", "-f", "-m", "-A", "-B", "-C", "-d", "-D"),
                *("--include", "--exclude", "--exclude-dir", "--regexp", "--file", "--max-count"),
                *("--after-context", "--before-context", "--context", "--directories", "--devices"),
            ),
            file_names=_grep_names,
            reads_files=("-f", "--file"),
            descends=("-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories"),
            searches_here=True,
        ),
        "grep egrep fgrep",
    ),
    "ugrep": Program(reads=True, operands="read", descends=(), searches_here=True, runs=("--filter", "--pager")),
    "sort": Program(
        reads=True,
        operands="read",
        takes_value=("-k", "-t", "-S", "--key", "--field-separator", "--buffer-size", "--parallel", "--batch-size"),
        writes=("-o", "--output"),
        runs=("--compress-program",),
        reads_files=("--files0-from",),
        acts={"-T": classes("@overwrite"), "--temporary-directory": classes("@overwrite")},
    ),
    "uniq": Program(reads=True, takes_value=("-f", "-s", "-w"), operands="read", handler=_uniq),
    "xxd": Program(reads=True, takes_value=("-c", "-g", "-l", "-o", "-s", "-n"), handler=_second_operand_is_written),
    "tree": Program(reads=True, operands="read", takes_value=("-L", "-P", "-I", "-H", "-T"), writes=("-o", "--output")),
    "shuf": Program(
        reads=True,
        operands="read",
        takes_value=("-i", "-n"),
        writes=("-o", "--output"),
        reads_files=("--random-source",),
    ),
    "iconv": Program(reads=True, operands="read", takes_value=("-f", "-t"), writes=("-o", "--output")),
    "rg": Program(
        reads=True,
        operands="read",
        takes_value=(
            *("-e", "-f", "-g", "-t", "-T", "-m", "-A", "-B", "-C", "-M", "-r", "-j", "-d", "-E"),
            *("--glob", "--iglob", "--type", "--type-not", "--regexp", "--file", "--max-count", "--max-depth"),
            *("--after-context", "--before-context", "--context", "--replace", "--threads", "--encoding", "--sort"),
        ),
        file_names=_ripgrep_names,
        reads_files=("-f", "--file"),
        runs=("--pre", "--hostname-bin"),
        descends=(),
        skips_hidden=("-u", "-.", "--hidden", "--unrestricted"),
        searches_here=True,
        handler=_ripgrep,
    ),
    "ag": Program(
        reads=True,
        operands="read",
        runs=("--pager",),
        descends=(),
        skips_hidden=("-u", "--hidden", "--unrestricted"),
        searches_here=True,
    ),
    "ack": Program(reads=True, operands="read", runs=("--pager", "--ackrc"), descends=(), searches_here=True),
    **same(
        Program(reads=True, operands="read", runs=("--pager", "--diff", "--config-file", "--config-dir"), handler=_bat),
        "bat batcat",
    ),
    "file": Program(
        reads=True,
        operands="read",
        reads_files=("-f", "--files-from", "-m", "--magic-file"),
        runs=("-C", "--compile"),
    ),
    "top": Program(reads=True),
    "xmllint": Program(
        reads=True,
        operands="read",
        writes=("-o", "--output"),
        runs=("--shell", "--path", "--catalogs"),
        handler=_xmllint,
    ),
    "pdftotext": Program(reads=True, handler=_second_operand_is_written, operands="read"),
    "less": Program(
        reads=True,
        operands="read",
        writes=("-o", "-O", "--log-file", "--LOG-FILE"),
        runs=("-k", "--lesskey-file", "--lesskey-src", "--lesskey-content"),
        handler=_pager,
    ),
    "more": Program(reads=True, operands="read", handler=_pager),
    "man": Program(reads=True, runs=("-P", "--pager", "-H", "--html", "-C", "--config-file", "-p", "--preprocessor")),
    "dmesg": Program(
        reads=True,
        acts={"-C": classes("@system_write"), "-c": classes("@system_write"), "--clear": classes("@system_write")},
    ),
    "journalctl": Program(
        reads=True,
        runs=("--pager",),
        acts={
            "--vacuum-size": classes("@delete"),
            "--vacuum-time": classes("@delete"),
            "--rotate": classes("@system_write"),
            "--flush": classes("@system_write"),
        },
    ),
}
