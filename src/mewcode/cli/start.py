"""`mewcode` without a command: opens the interactive session without loading the tree of commands."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

_WITH_VALUE = {
    "--model": "model",
    "--mode": "mode",
    "-r": "resume",
    "--resume": "resume",
    "-C": "directory",
    "--directory": "directory",
}


@dataclass
class Arguments:
    """`resume` is "" where a session is to be chosen from a list."""

    model: str | None = None
    mode: str | None = None
    resume: str | None = None
    directory: str | None = None
    newest: bool = False


def interactive(words: Sequence[str]) -> Arguments | None:
    """What an interactive session is to be opened with; None for every other command line, typer's to judge."""
    arguments, rest = Arguments(), list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word in ("-c", "--continue"):
            arguments.newest = True
        elif name in _WITH_VALUE and equals and name.startswith("--"):
            setattr(arguments, _WITH_VALUE[name], value)
        elif word in _WITH_VALUE and rest and not rest[0].startswith("-"):
            setattr(arguments, _WITH_VALUE[word], rest.pop(0))
        elif word in ("-r", "--resume"):
            arguments.resume = ""
        else:
            return None
    return arguments


def open_session(arguments: Arguments) -> int:
    """Opens it and returns the exit code; a failure is told as every command tells it."""
    from mewcode.errors import UsageError
    from mewcode.terminal.opening import open_terminal

    try:
        if arguments.directory is not None:
            try:
                os.chdir(arguments.directory)
            except OSError as error:
                raise UsageError("cli.no_directory", path=arguments.directory, why=error.strerror) from error
        return open_terminal(
            resume=arguments.resume, newest=arguments.newest, model=arguments.model, mode=arguments.mode
        )
    except (Exception, KeyboardInterrupt) as failure:  # noqa: BLE001 - the last place; beyond it is only a traceback
        from mewcode.cli.failures import exit_code_of

        return exit_code_of(failure)
