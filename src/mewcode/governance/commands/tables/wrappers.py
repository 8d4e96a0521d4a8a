"""Programs that run the command in their arguments."""

import re

from mewcode.governance.commands.assignments import check_name
from mewcode.governance.commands.call import Call, text_word
from mewcode.governance.commands.options import read_arguments
from mewcode.governance.commands.program import Handler, Program, Table, classes, same
from mewcode.governance.commands.tables.shells import posix_text
from mewcode.governance.commands.word import Word, known

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=")


def wrapper(*values: str, skip: int = 0, bare: bool = True) -> Program:
    """A program that runs its operands behind `skip` of its own; `values` are options that take a value.

    `bare`: without a command it does nothing worth a rule.
    """
    options = Program(takes_value=values)

    def handler(call: Call) -> None:
        payload = _payload(call, options, skip)
        call.transparent = bool(payload) or bare
        if payload:
            call.run(payload)

    return Program(handler=handler, takes_value=values)


def _payload(call: Call, options: Program, skip: int) -> list[Word]:
    """The command within: options end at the first operand."""
    arguments = read_arguments(call.rest, options, stop_at_operand=True)
    for word in arguments.doubtful:
        call.doubt_argument(word)
    return arguments.operands[skip:]


def _env(call: Call) -> None:
    """`env -S` splits a text, `-C` changes the directory, assignments may be risky."""
    options = Program(takes_value=("-u", "--unset", "-C", "--chdir", "-S", "--split-string", "-a", "--argv0", "-P"))
    payload = _payload(call, options, 0)
    arguments = read_arguments(call.rest, options, stop_at_operand=True)
    for text in arguments.values("-S", "--split-string"):
        if not text.literal or re.search(r"[$\\'\"#]", text.text):
            call.doubt("runs_file", word=text.text[:60])
        payload = [*(known(part) for part in text.text.split()), *payload]
    while payload and (found := _ASSIGNMENT.match(payload[0].prefix)):
        check_name(found[1], call.walker.findings)
        call.walker.findings.numbers.assign(found[1], payload[0].text.partition("=")[2])
        payload = payload[1:]
    call.transparent = True
    if not payload:
        call.reads_only = True
    elif arguments.has("-C", "--chdir"):
        with call.walker.variables.subshell():
            call.walker.variables.directory = None
            call.run(payload)
    else:
        call.run(payload)


def _command(call: Call) -> None:
    """`command -v NAME` only asks."""
    if call.rest and re.fullmatch(r"-[pvV]*[vV][pvV]*", call.rest[0].text):
        call.reads_only = True
        return
    payload = _payload(call, Program(), 0)
    call.transparent = True
    if payload:
        call.run(payload)


def _time(call: Call) -> None:
    """`time -o FILE` writes; as a keyword it may stand before anything."""
    options = Program(takes_value=("-f", "--format"), writes=("-o", "--output"))
    arguments = read_arguments(call.rest, options, stop_at_operand=True)
    for target in arguments.values("-o", "--output"):
        call.write(target, "time -o", hidden=True)
    for word in arguments.doubtful:
        call.doubt_argument(word)
    call.transparent = True
    if arguments.operands:
        call.run(arguments.operands)


def _with_text(*values: str, text: tuple[str, ...], skip: int = 0) -> Handler:
    """Either an option's value is a line for a shell, or the operands are a command."""
    options = Program(takes_value=(*values, *text))

    def handler(call: Call) -> None:
        arguments = read_arguments(call.rest, options, stop_at_operand=True)
        for word in arguments.doubtful:
            call.doubt_argument(word)
        call.transparent = True
        lines = arguments.values(*text)
        # options may also follow the operands that belong to the wrapper: `flock FILE -c LINE`
        trailing = arguments.operands[skip:]
        if trailing and trailing[0].text in text:
            lines, trailing = [*lines, *trailing[1:2]], trailing[2:]
        for line in lines:
            posix_text(call, line)
        if trailing and not lines:
            call.run(trailing)

    return handler


def _joined_text(*values: str) -> Handler:
    """The operands joined are a line for a shell (`watch`)."""
    options = Program(takes_value=values)

    def handler(call: Call) -> None:
        payload = _payload(call, options, 0)
        call.transparent = True
        if payload:
            posix_text(call, text_word(payload))

    return handler


def _each_text(call: Call) -> None:
    """Every operand is a line for a shell of its own (`hyperfine`, `concurrently`)."""
    call.transparent = False
    for word in call.arguments.operands:
        posix_text(call, word)
    for word in call.arguments.doubtful:
        call.doubt_argument(word)


def _script(call: Call) -> None:
    """`script -c LINE FILE` writes FILE too."""
    values = call.arguments.values("-c", "--command")
    for line in values:
        posix_text(call, line)
    if not values:
        call.doubt("stdin_code")
    for word in call.arguments.operands:
        call.write(word, "script", hidden=True)
    for word in call.arguments.doubtful:
        call.doubt_argument(word)


def _busybox(call: Call) -> None:
    """`busybox rm x` is `rm x`."""
    call.transparent = True
    payload = call.rest
    if payload and payload[0].prefix.startswith("-"):
        call.transparent, call.reads_only = False, payload[0].text in ("--list", "--help", "--list-full")
        if not call.reads_only:
            call.doubt("structure", text=payload[0].text[:60])
        return
    if payload:
        call.run(payload)


def _coproc(call: Call) -> None:
    """`coproc rm x`; a name may come first only before a compound command, which does not parse."""
    call.transparent = True
    if call.rest:
        call.run(call.rest)


def _su(call: Call) -> None:
    call.acts("@privilege")
    for line in call.arguments.values("-c", "--command", "--session-command"):
        posix_text(call, line)
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    if not call.arguments.has("-c", "--command", "--session-command"):
        call.doubt("stdin_code")


def _sudo(*values: str) -> Program:
    options = Program(takes_value=values)

    def handler(call: Call) -> None:
        payload = _payload(call, options, 0)
        call.acts("@privilege")
        if read_arguments(call.rest, options, stop_at_operand=True).has("-e", "--edit"):
            call.doubt("option_runs", option="-e")
        while payload and (found := _ASSIGNMENT.match(payload[0].prefix)):
            check_name(found[1], call.walker.findings)
            call.walker.findings.numbers.assign(found[1], payload[0].text.partition("=")[2])
            payload = payload[1:]
        if payload:
            call.run(payload)
        elif call.rest:
            call.doubt("stdin_code")

    return Program(handler=handler, takes_value=values, classes=classes("@privilege"))


def _doubted(call: Call) -> None:
    """Runs its words through a shell after changes of its own: nothing is certain, the words are still judged."""
    call.doubt("option_runs", option=call.rest[0].text[:40] if call.rest else "")
    payload = _payload(call, Program(), 0)
    if payload:
        call.run(payload)


def _arch(call: Call) -> None:
    """It prints the machine's name, and on macOS runs a command for another one."""
    payload = _payload(call, Program(takes_value=("-d", "-e")), 0)
    call.reads_only, call.transparent = not payload, bool(payload)
    if payload:
        call.run(payload)


PROGRAMS: Table = {
    "env": Program(handler=_env),
    "command": Program(handler=_command),
    "builtin": wrapper(),
    "exec": wrapper("-a"),
    "time": Program(handler=_time),
    "timeout": wrapper("-s", "--signal", "-k", "--kill-after", skip=1),
    "nice": wrapper("-n", "--adjustment"),
    "nohup": wrapper(),
    "stdbuf": wrapper("-i", "--input", "-o", "--output", "-e", "--error"),
    "setsid": wrapper(),
    "ionice": wrapper("-c", "--class", "-n", "--classdata", "-p"),
    "chrt": wrapper("-T", "-P", "-D", skip=1),
    "taskset": wrapper(skip=1),
    "numactl": wrapper("-i", "-N", "-m", "-C", "-p"),
    "setarch": wrapper(skip=1),
    "linux32": wrapper(),
    "linux64": wrapper(),
    **same(wrapper(), "i386 i486 i586 i686 x86_64 uname26 chronic"),
    "cgexec": wrapper("-g"),
    "cpulimit": wrapper("-l", "--limit", "-p", "--pid", "-e", "--exe", "-P", "--path"),
    "retry": wrapper("-d", "--delay", "-t", "--times", "-m", "--max"),
    "ssh-agent": wrapper("-a", "-E", "-t", "-O", "-P"),
    **same(Program(handler=_doubted), "watchexec start-stop-daemon gpg-agent run-parts xdg-open open newgrp"),
    "arch": Program(handler=_arch),
    "caffeinate": wrapper("-t", "-w"),
    "unbuffer": wrapper(),
    "catchsegv": wrapper(),
    "rlwrap": wrapper("-a", "-b", "-c", "-f", "-H"),
    "prlimit": wrapper(),
    "xvfb-run": wrapper("-e", "-f", "-n", "-s", "-w"),
    "dbus-run-session": wrapper(),
    "tini": wrapper(),
    "dumb-init": wrapper(),
    "ld.so": wrapper("--library-path", "--inhibit-rpath", "--audit", "--preload", "--argv0"),
    "coproc": Program(handler=_coproc),
    "busybox": Program(handler=_busybox),
    "toybox": Program(handler=_busybox),
    "unshare": wrapper("-S", "-G", "-R", "-w", bare=False),
    "nsenter": wrapper("-t", "-S", "-G", bare=False),
    "chroot": wrapper(skip=1, bare=False),
    "setpriv": wrapper("--reuid", "--regid", "--groups", "--inh-caps", "--ambient-caps", "--bounding-set"),
    "gosu": wrapper(skip=1),
    "su-exec": wrapper(skip=1),
    "bwrap": Program(handler=_doubted),
    "firejail": Program(handler=_doubted),
    "proot": Program(handler=_doubted),
    "fakeroot": wrapper("-l", "-s", "-i", "-b"),
    "flock": Program(
        handler=_with_text("-w", "--timeout", "-E", "--conflict-exit-code", text=("-c", "--command"), skip=1)
    ),
    "watch": Program(handler=_joined_text("-n", "--interval", "-q", "--equexit")),
    "script": Program(takes_value=("-c", "--command", "-E", "-o", "-T", "-B", "-I", "-O"), handler=_script),
    "hyperfine": Program(takes_value=("-w", "-m", "-M", "-r", "-N"), handler=_each_text),
    **same(Program(handler=_each_text), "concurrently pee mispipe"),
    "nix-shell": Program(handler=_with_text("-p", "--packages", text=("--run", "--command"))),
    "sg": Program(handler=_with_text(text=("-c",), skip=1)),
    "entr": wrapper(),
    "parallel": Program(handler=_doubted),
    "rush": Program(handler=_doubted),
    "direnv": Program(handler=_doubted),
    "mise": Program(handler=_doubted),
    "asdf": Program(handler=_doubted),
    "expect": Program(handler=_doubted),
    "tmux": Program(handler=_doubted),
    "screen": Program(handler=_doubted),
    "at": Program(handler=_doubted),
    "batch": Program(handler=_doubted),
    "systemd-run": Program(handler=_doubted, classes=classes("@system_write")),
    "gdb": Program(handler=_doubted),
    "lldb": Program(handler=_doubted),
    "perf": Program(handler=_doubted),
    "su": Program(
        takes_value=("-c", "--command", "--session-command", "-s", "-g"), handler=_su, classes=classes("@privilege")
    ),
    "runuser": Program(
        takes_value=("-c", "--command", "--session-command", "-s", "-g", "-u"),
        handler=_su,
        classes=classes("@privilege"),
    ),
    "sudo": _sudo(
        "-u",
        "-g",
        "-h",
        "-p",
        "-C",
        "-r",
        "-t",
        "-T",
        "-U",
        "-D",
        "-R",
        "--user",
        "--group",
        "--host",
        "--prompt",
        "--chdir",
        "--chroot",
    ),
    "doas": _sudo("-u", "-C"),
    **same(Program(handler=_doubted, classes=classes("@privilege")), "pkexec machinectl"),
}
