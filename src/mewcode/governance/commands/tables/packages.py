"""Package managers and task runners: scripts of the project, packages from the network, and other people's code."""

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.options import read_arguments
from mewcode.governance.commands.program import Program, Table, classes, same
from mewcode.governance.commands.tables import find
from mewcode.governance.commands.tables.builds import classify_target
from mewcode.governance.commands.tables.shells import posix_text
from mewcode.governance.commands.word import Word

_PUBLISHES = frozenset(
    ("publish", "unpublish", "deprecate", "dist-tag", "owner", "access", "login", "adduser", "token", "upload")
)
_NETWORK = frozenset(
    (
        "install",
        "i",
        "ci",
        "add",
        "update",
        "upgrade",
        "up",
        "download",
        "sync",
        "lock",
        "audit",
        "outdated",
        "search",
        "fetch",
    )
)
_REMOVES = frozenset(("uninstall", "remove", "rm", "un", "prune"))
_QUERIES = frozenset(
    (
        "ls",
        "list",
        "ll",
        "la",
        "view",
        "info",
        "show",
        "why",
        "explain",
        "root",
        "prefix",
        "freeze",
        "check",
        "bin",
        "help",
        "query",
        "tree",
    )
)


def _doubt(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)


def _npm(call: Call) -> None:
    """npm, pnpm, yarn and bun: `run SCRIPT`, `test`, `exec COMMAND`."""
    _doubt(call)
    operands = call.arguments.operands
    verb = operands[0].text if operands else ""
    rest = operands[1:]
    if call.arguments.has("--script-shell", "--node-options", "--prefix", "--userconfig", "--globalconfig"):
        call.doubt("option_runs", option="--script-shell")
    if verb in ("run", "run-script", "rum", "urn"):
        classify_target(call, rest[0].text if rest else "")
    elif verb in ("test", "t", "tst", "it"):
        call.classes.add("@test")
    elif verb in ("build", "start", "stop"):
        classify_target(call, verb)
    elif verb in ("exec", "x", "dlx"):
        _exec(call)
    elif verb in _PUBLISHES:
        call.classes.update(("@publish", "@network"))
    elif verb in _NETWORK:
        call.classes.add("@network")
    elif verb in _REMOVES:
        call.classes.add("@delete")
    elif verb == "version" or verb in _QUERIES:
        call.reads_only = verb in ("ls", "list", "root", "prefix", "bin", "why", "explain")
    elif call.name in ("yarn", "bun", "pnpm") and verb:
        classify_target(call, verb)
        if find(verb)[1] is not None:
            _run_package(call, operands)
    if call.name == "bun" and call.arguments.has("-e", "--eval", "-p", "--print"):
        call.opaque = True
        call.doubt("option_runs", option="-e")


_EXEC = Program(takes_value=("-c", "--call", "-p", "--package", "-w", "--workspace"))


def _exec(call: Call) -> None:
    """`npx COMMAND`, `npx -c LINE`: what it runs is judged, though it may be fetched first."""
    words = call.rest
    if call.name not in ("npx", "bunx", "pnpx"):
        at = next((at for at, word in enumerate(words) if word.text in ("exec", "x", "dlx")), -1)
        words = words[at + 1 :]
    arguments = read_arguments(words, _EXEC, stop_at_operand=True)
    for word in arguments.doubtful:
        call.doubt_argument(word)
    call.classes.add("@network")
    for line in arguments.values("-c", "--call"):
        posix_text(call, line)
        call.doubt("option_runs", option="-c")
    late = [word for word in words if word.text in ("-c", "--call") or word.text.startswith("--call=")]
    if late:
        call.doubt("option_runs", option="-c")
    payload = [word for word in arguments.operands if word.text != "--"]
    _run_package(call, payload)


def _run_package(call: Call, payload: list[Word]) -> None:
    """A package's program runs under its name: `npx jest@29` is `jest`."""
    if not payload:
        return
    head = payload[0]
    if head.literal and not head.text.startswith("@") and "@" in head.text:
        head = Word(head.text.partition("@")[0], prefix=head.text.partition("@")[0])
    call.run([head, *payload[1:]])


_RUN = Program(
    takes_value=(
        *(
            "--with",
            "--python",
            "-p",
            "--project",
            "--directory",
            "--env-file",
            "--extra",
            "--group",
            "--package",
            "-n",
            "--name",
            "--from",
        ),
        *("--with-requirements", "--with-editable", "--index-url", "--index", "--spec", "-E", "-e"),
    )
)


def _runner(*verbs: str) -> Program:
    """A tool one of whose verbs runs a command: `uv run pytest`, `poetry run …`."""

    def handler(call: Call) -> None:
        _doubt(call)
        operands = call.arguments.operands
        verb = operands[0].text if operands else ""
        if verb in verbs:
            at = next(at for at, word in enumerate(call.rest) if word is operands[0])
            inner = read_arguments(call.rest[at + 1 :], _RUN, stop_at_operand=True)
            for word in inner.doubtful:
                call.doubt_argument(word)
            payload = inner.operands
            call.transparent = bool(payload) and not any(
                option.name.startswith(
                    ("--with", "--from", "-m", "--module", "-s", "--script", "--env-file", "--project", "--directory")
                )
                for option in inner.options
            )
            if inner.has("-m", "--module", "-s", "--script"):
                call.doubt("option_runs", option="-m")
            if payload:
                call.run(payload)
        elif verb in _PUBLISHES:
            call.classes.update(("@publish", "@network"))
        elif verb in _NETWORK or verb in ("pip", "tool", "build"):
            call.classes.add("@network" if verb != "build" else "@build")
            if any(word.text in _REMOVES for word in operands[1:2]):
                call.classes.add("@delete")
            if verb == "tool" and any(word.text == "run" for word in operands[1:2]):
                call.run(operands[2:])
        elif verb in _REMOVES:
            call.classes.add("@delete")
        elif verb in _QUERIES:
            call.reads_only = False

    return Program(handler=handler, takes_value=("-C", "--directory", "--project", "-P"))


def _pip(call: Call) -> None:
    _doubt(call)
    verb = call.arguments.operands[0].text if call.arguments.operands else ""
    if verb in _REMOVES:
        call.classes.add("@delete")
    elif verb in ("list", "show", "freeze", "check", "help"):
        call.reads_only = not call.arguments.has("--log", "--python")
    elif verb in ("install", "download", "wheel", "index", "search"):
        call.classes.add("@network")


def _uvx(call: Call) -> None:
    inner = read_arguments(call.rest, _RUN, stop_at_operand=True)
    for word in inner.doubtful:
        call.doubt_argument(word)
    call.classes.add("@network")
    _run_package(call, inner.operands)


_SYSTEM_VERBS = frozenset(("list", "search", "show", "info", "policy", "depends", "rdepends"))


def _system(call: Call) -> None:
    _doubt(call)
    verb = call.arguments.operands[0].text if call.arguments.operands else ""
    call.acts("@system_write", "@network")
    if verb in _SYSTEM_VERBS:
        call.classes.difference_update(("@system_write",))
    if verb in ("remove", "purge", "autoremove", "uninstall", "clean", "cleanup"):
        call.classes.add("@delete")


_NPM = Program(
    takes_value=(
        "-w",
        "--workspace",
        "-C",
        "--dir",
        "--prefix",
        "--script-shell",
        "--node-options",
        "--userconfig",
        "--globalconfig",
        "--cwd",
        "--filter",
        "-F",
    ),
    handler=_npm,
)

PROGRAMS: Table = {
    **same(_NPM, "npm pnpm yarn bun"),
    **same(Program(handler=_exec, takes_value=("-c", "--call", "-p", "--package")), "npx bunx pnpx"),
    "uv": _runner("run"),
    "uvx": Program(handler=_uvx),
    "pipx": _runner("run"),
    **same(_runner("run"), "poetry pdm hatch pipenv rye conda mamba micromamba"),
    "bundle": _runner("exec"),
    "rbenv": _runner("exec"),
    "pyenv": _runner("exec"),
    "dotenv": _runner("run"),
    **same(Program(handler=_pip, runs=("--python",), writes=("--log", "--report", "--cache-dir")), "pip pip3"),
    "gem": Program(classes=classes("@network")),
    "composer": Program(classes=classes("@network")),
    "twine": Program(classes=classes("@publish", "@network", "@upload")),
    **same(
        Program(handler=_system, classes=classes("@system_write"), runs=("-o", "-c", "--option", "--config-file")),
        "apt apt-get aptitude dnf yum zypper pacman apk brew port snap flatpak dpkg rpm emerge nix-env winget choco",
    ),
}
