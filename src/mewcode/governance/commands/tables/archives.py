"""Archives: unpacking overwrites, packing writes, and some options run programs."""

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.program import Program, Table, classes, same
from mewcode.governance.commands.word import known, known_later

_TAR_RUNS = (
    "--to-command",
    "--checkpoint-action",
    "-I",
    "--use-compress-program",
    "-F",
    "--info-script",
    "--new-volume-script",
    "--rsh-command",
    "--rmt-command",
)


def _tar(call: Call) -> None:
    """`tar cf` and `tar -cf` are the same; which letter is given decides what it does."""
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    first = call.rest[0] if call.rest else known("")
    letters = first.text if first.text[:1] != "-" else ""
    if letters:
        call.arguments.operands = call.arguments.operands[1:]
        if set(letters) & {"I", "F"}:
            call.doubt("option_runs", option=letters)
    given = {option.name for option in call.arguments.options} | {f"-{letter}" for letter in letters}
    archives = call.arguments.values("-f", "--file") or (call.rest[1:2] if "f" in letters else [])
    if given & {"--remove-files"}:
        call.acts("@delete")
        call.also_reads("rm")
    if given & {"-t", "--list", "-d", "--diff", "--compare"} and not given & {"-x", "-c", "-r", "-u", "-A"}:
        call.reads_only = True
        for word in archives:
            call.read(word)
        return
    if given & {"-x", "--extract", "--get"}:
        call.acts("@overwrite")
        for word in call.arguments.values("-C", "--directory") or [known(".")]:
            call.write(word, "tar -x")
    else:
        for word in archives:
            call.write(word, "tar -f")
        for word in (*call.arguments.operands, *call.arguments.values("-C", "--directory")):
            call.read(word, beneath="all")
        for word in call.arguments.values("-T", "--files-from"):
            call.read(known_later(word), "tar -T")
    for word in archives:
        call.read(word)
        if ":" in word.text:
            call.doubt("option_runs", option=word.text[:60])


def _zip(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    for word in call.arguments.operands[1:]:
        call.read(word, beneath="all" if call.arguments.has("-r", "-R", "--recurse-paths") else "")
    if call.arguments.has("-@", "--names-stdin"):
        call.read(known_later(known("its input")), "zip -@")


def _cpio(call: Call) -> None:
    """Which files it packs stands on its input."""
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    if call.arguments.has("-o", "-p", "--create", "--pass-through", "-w"):
        call.read(known_later(known("its input")), call.name)


def _unpacks(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    if call.arguments.has("-l", "-v", "-Z", "-p", "-t"):
        call.reads_only = call.arguments.has("-l", "-Z", "-p")
    for word in call.arguments.operands[:1]:
        call.read(word)
    for word in call.arguments.values("-d"):
        call.write(word, call.name)


def _compresses(call: Call) -> None:
    """`gzip FILE` replaces the file; `-c`, `-l` and `-t` only print."""
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    prints = (
        call.arguments.has("-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test")
        or not call.arguments.operands
    )
    call.reads_only = prints
    for word in call.arguments.operands:
        call.read(word)
        if not prints:
            call.write(word, call.name)
    if not prints:
        call.classes.add("@overwrite")


PROGRAMS: Table = {
    **same(
        Program(
            takes_value=(
                "-f",
                "--file",
                "-C",
                "--directory",
                "-T",
                "--files-from",
                "-X",
                "--exclude-from",
                "--exclude",
                "-b",
                "-K",
                "-N",
                "-L",
            ),
            runs=_TAR_RUNS,
            writes=("--index-file", "-g", "--listed-incremental", "--volno-file"),
            handler=_tar,
        ),
        "tar bsdtar",
    ),
    "unzip": Program(classes=classes("@overwrite"), takes_value=("-d", "-x"), handler=_unpacks),
    "unrar": Program(classes=classes("@overwrite")),
    **same(Program(classes=classes("@overwrite"), operands="read", descends=()), "7z 7za 7zr ar"),
    "cpio": Program(classes=classes("@overwrite"), handler=_cpio),
    "pax": Program(classes=classes("@overwrite"), operands="read", descends=(), handler=_cpio),
    "zip": Program(
        classes=classes("@overwrite"),
        operands="write",
        takes_value=("-x", "-i"),
        runs=("-TT", "-T", "--unzip-command"),
        writes=("-O", "--out"),
        acts={"-m": classes("@delete"), "--move": classes("@delete"), "-d": classes("@delete")},
        handler=_zip,
    ),
    **same(
        Program(takes_value=("-S", "-o"), writes=("-o",), handler=_compresses),
        "gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd lz4 compress uncompress brotli pigz pbzip2",
    ),
}
