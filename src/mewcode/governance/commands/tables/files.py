"""Programs that make, change, move and remove files."""

import posixpath

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.program import Program, Table, classes, same
from mewcode.governance.commands.word import known, known_later

_HOPELESS = frozenset(
    (
        "/",
        "/*",
        "/.",
        "/..",
        "~",
        "~/",
        "/etc",
        "/usr",
        "/bin",
        "/lib",
        "/boot",
        "/home",
        "/root",
        "/var",
        "/dev",
        "/opt",
    )
)
_DEVICES = ("/dev/sd", "/dev/nvme", "/dev/vd", "/dev/hd", "/dev/xvd", "/dev/disk", "/dev/mmcblk", "/dev/mem", "/dev/md")


def _doubt_unknown(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)


def _rm(call: Call) -> None:
    """Removing the root, the home or a system directory cannot be undone."""
    _doubt_unknown(call)
    home = call.walker.variables.value("HOME") or "~"
    for word in call.arguments.operands:
        path = posixpath.normpath(word.text) if word.text else ""
        if path.removesuffix("/*") in (*_HOPELESS, home, "") or word.text in _HOPELESS:
            call.classes.add("@unrecoverable")


def _also_rm(call: Call) -> None:
    call.also_reads("rm")
    _doubt_unknown(call)


def _mv(call: Call) -> None:
    """Both ends of a move change."""
    _doubt_unknown(call)
    for word in call.arguments.operands:
        call.write(word, "mv")
        call.read(word, beneath="all")


def _ln(call: Call) -> None:
    """A link to a folder is another name for all beneath it, in the rest of the line too."""
    _doubt_unknown(call)
    operands, into = call.arguments.operands, call.arguments.values("-t", "--target-directory")
    alone = bool(into) or len(operands) == 1
    for word in operands if alone else operands[:-1]:
        call.read(word, beneath="all", tracked=True)  # a secret keeps its name
    for word in into or (operands[-1:] if not alone else [known(posixpath.basename(operands[0].text) or ".")]):
        call.write(word, call.name)


def _dd(call: Call) -> None:
    for word in call.rest:
        name, _, _ = word.prefix.partition("=")
        if name == "of":
            target = word.after(3)
            call.write(target, "dd of=")
            if target.text.startswith(_DEVICES):
                call.classes.add("@unrecoverable")
        elif name == "if":
            call.read(word.after(3))
        elif not word.literal:
            call.doubt_argument(word)


def _tee(call: Call) -> None:
    """What it writes is not what a rule about reading allows."""
    call.reads_only = True
    for word in call.arguments.operands:
        call.write(word, "tee", hidden=True)
        if word.literal and word.text.startswith("/dev/"):
            continue
        if not word.literal or call.walker.findings.is_outside(word.text):
            call.classes.add("@redirect_outside")
    _doubt_unknown(call)


def _rsync(call: Call) -> None:
    call.classes.add("@overwrite")
    remote = [word for word in call.arguments.operands if ":" in word.prefix and not word.prefix.startswith(("/", "."))]
    for word in remote:
        call.classes.add("@network")
        call.host(word.text.partition(":")[0].rpartition("@")[2])
    if remote and call.arguments.operands and call.arguments.operands[-1] in remote:
        call.classes.update(("@upload",))
    if any(option.name.startswith(("--delete", "--del", "--remove-source")) for option in call.arguments.options):
        call.classes.add("@delete")
        call.also_reads("rm")
    for word in call.arguments.operands[:-1]:
        if word not in remote:
            call.read(word, beneath="all")
    for word in call.arguments.values("--files-from", "--include-from"):
        call.read(known_later(word), "rsync")
    for word in call.arguments.operands[-1:]:
        call.write(word, "rsync")
    _doubt_unknown(call)


def _line_editor(call: Call) -> None:
    """Its commands come in on standard input, and `!` among them starts a shell."""
    if call.flow.stdin is not None:
        call.doubt("stdin_code")
    _doubt_unknown(call)


def _split(call: Call) -> None:
    for word in call.arguments.operands[1:2]:
        call.write(word, call.name)
    call.acts("@overwrite")
    _doubt_unknown(call)


def _shred(call: Call) -> None:
    call.also_reads("rm")
    if any(word.text.startswith(_DEVICES) for word in call.arguments.operands):
        call.classes.add("@unrecoverable")
    _doubt_unknown(call)


_COPY_VALUES = ("-t", "--target-directory", "-S", "--suffix", "-m", "--mode", "-o", "--owner", "-g", "--group")

PROGRAMS: Table = {
    "rm": Program(classes=classes("@delete"), operands="write", handler=_rm),
    "rmdir": Program(classes=classes("@delete"), operands="write"),
    "unlink": Program(classes=classes("@delete"), operands="write", handler=_also_rm),
    "shred": Program(
        classes=classes("@delete", "@overwrite"), operands="write", takes_value=("-n", "-s"), handler=_shred
    ),
    "srm": Program(classes=classes("@delete"), operands="write", handler=_also_rm),
    "trash": Program(classes=classes("@delete"), operands="write", handler=_also_rm),
    "trash-put": Program(classes=classes("@delete"), operands="write", handler=_also_rm),
    "wipe": Program(classes=classes("@delete"), operands="write", handler=_also_rm),
    "mv": Program(classes=classes("@move"), takes_value=("-t", "--target-directory", "-S", "--suffix"), handler=_mv),
    "rename": Program(classes=classes("@move"), operands="write", runs=("-e", "--expr")),
    "cp": Program(
        classes=classes("@overwrite"),
        operands="copy",
        takes_value=("-t", "--target-directory", "-S", "--suffix"),
        descends=("-r", "-R", "-a", "--recursive", "--archive"),
    ),
    "install": Program(
        classes=classes("@overwrite"), operands="copy", takes_value=_COPY_VALUES, runs=("--strip-program",)
    ),
    "ln": Program(classes=classes("@overwrite"), takes_value=("-t", "--target-directory", "-S"), handler=_ln),
    "link": Program(operands="copy"),
    "touch": Program(operands="write", takes_value=("-d", "-t"), reads_files=("-r",)),
    "mkdir": Program(operands="write", takes_value=("-m", "--mode")),
    "mkfifo": Program(operands="write", takes_value=("-m", "--mode")),
    "mktemp": Program(takes_value=("-p", "--tmpdir", "--suffix")),
    "truncate": Program(
        classes=classes("@overwrite"), operands="write", takes_value=("-s", "--size"), reads_files=("-r",)
    ),
    "fallocate": Program(classes=classes("@overwrite"), operands="write", takes_value=("-l", "-o")),
    "chmod": Program(classes=classes("@permissions"), operands="write"),
    "chown": Program(classes=classes("@permissions"), operands="write"),
    "chgrp": Program(classes=classes("@permissions"), operands="write"),
    "chattr": Program(classes=classes("@permissions"), operands="write"),
    "setfacl": Program(classes=classes("@permissions"), operands="write", takes_value=("-m", "-x")),
    "dd": Program(classes=classes("@overwrite"), handler=_dd),
    "tee": Program(operands="none", handler=_tee),
    "sponge": Program(classes=classes("@overwrite"), handler=_tee),
    "patch": Program(
        classes=classes("@overwrite"),
        operands="write",
        writes=("-o", "-r"),
        takes_value=("-p", "-d"),
        reads_files=("-i",),
    ),
    **same(Program(classes=classes("@overwrite"), operands="write", handler=_line_editor), "ed red"),
    **same(Program(classes=classes("@delete"), handler=_also_rm), "rimraf del-cli trash trash-put"),
    "rsync": Program(
        runs=("-e", "--rsh", "--rsync-path", "-M", "--remote-option", "--daemon", "--config"),
        takes_value=("--files-from", "--include-from"),
        writes=("--log-file", "--partial-dir", "--backup-dir", "--write-batch", "--only-write-batch"),
        handler=_rsync,
    ),
    "split": Program(takes_value=("-b", "-l", "-n", "-a"), runs=("--filter",), handler=_split),
    "csplit": Program(takes_value=("-f", "-n", "-b"), handler=_split),
    "dos2unix": Program(classes=classes("@overwrite"), operands="write"),
    "unix2dos": Program(classes=classes("@overwrite"), operands="write"),
}
