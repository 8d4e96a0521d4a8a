"""Programs that run another one and watch it."""

from mewcode.governance.commands.assignments import check_name
from mewcode.governance.commands.call import Call
from mewcode.governance.commands.options import read_arguments
from mewcode.governance.commands.program import Handler, Program, Table
from mewcode.governance.commands.tables.shells import posix_text


def _traced(*values: str) -> Handler:
    """`-o FILE` writes, `-o '|LINE'` runs a line; `-E` sets a variable of the traced program."""
    options = Program(takes_value=(*values, "-E", "--env"), writes=("-o", "--output"))

    def handler(call: Call) -> None:
        arguments = read_arguments(call.rest, options, stop_at_operand=True)
        for word in arguments.doubtful:
            call.doubt_argument(word)
        for word in arguments.values("-E", "--env"):
            check_name(word.text.partition("=")[0], call.walker.findings)
        call.transparent = bool(arguments.operands)
        for target in arguments.values("-o", "--output"):
            if target.prefix[:1] in ("|", "!") or not target.literal:
                posix_text(call, target.after(1))
            else:
                call.write(target, f"{call.name} -o", hidden=True)
        if arguments.operands:
            call.run(arguments.operands)

    return handler


def _valgrind(call: Call) -> None:
    """Its options may start a debugger or load a tool from elsewhere, and write logs."""
    arguments = read_arguments(call.rest, Program(), stop_at_operand=True)
    for word in arguments.doubtful:
        call.doubt_argument(word)
    for option in arguments.options:
        if option.name in ("--db-command", "--trace-children-skip", "--suppressions"):
            call.doubt("option_runs", option=option.name)
        if option.name.endswith(("-file", "-out-file")) and option.value is not None:
            call.write(option.value, f"valgrind {option.name}", hidden=True)
    call.transparent = bool(arguments.operands)
    if arguments.operands:
        call.run(arguments.operands)


PROGRAMS: Table = {
    "strace": Program(handler=_traced("-e", "-p", "-s", "-u", "-a", "-b", "-I", "-O", "-S", "-P", "-U", "-X")),
    "ltrace": Program(handler=_traced("-e", "-p", "-s", "-u", "-a", "-A", "-D", "-F", "-l", "-n", "-w", "-x")),
    "valgrind": Program(handler=_valgrind),
}
