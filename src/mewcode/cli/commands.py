"""The tree of commands. Each command lives in a module of its own and is imported when it is called."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from mewcode.cli.failures import exit_code_of
from mewcode.messages import message

COMMANDS = {
    "run": "mewcode.cli.run",
    "mcp": "mewcode.cli.mcp",
    "tools": "mewcode.cli.tools",
    "model": "mewcode.cli.model",
    "serve": "mewcode.cli.serve",
    "approvals": "mewcode.cli.approvals",
    "policy": "mewcode.cli.policy",
    "audit": "mewcode.cli.audit",
    "config": "mewcode.cli.config",
    "sessions": "mewcode.cli.sessions",
    "doctor": "mewcode.cli.doctor",
}
"""Name of each command, in the order that --help lists them, and the module whose `app` it is."""


class LazyCommands(typer.core.TyperGroup):
    """Imports a command's module when it is named, and all of them only for --help."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name, module in COMMANDS.items() if importlib.util.find_spec(module)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        command = typer.main.get_command(importlib.import_module(COMMANDS[cmd_name]).app)
        command.name = cmd_name
        return command


app = typer.Typer(
    name="mewcode",
    cls=LazyCommands,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
    rich_markup_mode="rich" if sys.stdout.isatty() else None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def mewcode(
    context: typer.Context,
    continue_: Annotated[bool, typer.Option("--continue", "-c", help="Go on with the newest session.")] = False,
    resume: Annotated[str | None, typer.Option("--resume", "-r", help="Go on with this session.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="provider:model for this session.")] = None,
    mode: Annotated[str | None, typer.Option("--mode", help="plan, default, accept-edits or auto.")] = None,
    directory: Annotated[Path | None, typer.Option("--directory", "-C", help="Work in this directory.")] = None,
    version: Annotated[bool, typer.Option("--version", "-V", help="Show the version and exit.")] = False,
) -> None:
    """An AI coding agent whose tools are open (any MCP server) and under control (one gate for every call).

    Without a command it opens an interactive session in the current directory.
    """
    if version:
        from mewcode import __version__

        typer.echo(f"mewcode {__version__}")
        raise typer.Exit
    if directory is not None:
        _enter(directory)
    if context.invoked_subcommand is None:
        from mewcode.terminal.opening import open_terminal

        raise typer.Exit(open_terminal(resume=resume, newest=continue_, model=model, mode=mode))


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit code. `mewcode -p TASK` is `mewcode run TASK`."""
    command = typer.main.get_command(app)
    try:
        command(args=_spell_out_print(arguments), prog_name="mewcode")
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    except (Exception, KeyboardInterrupt) as failure:  # noqa: BLE001 - the last place; beyond it there is only a traceback
        return exit_code_of(failure)
    return 0


def _spell_out_print(arguments: Sequence[str]) -> list[str]:
    words = list(arguments)
    flags = [word for word in words if word in ("-p", "--print")]
    if flags and not any(word in COMMANDS for word in words[: words.index(flags[0])]):
        words.remove(flags[0])
        return ["run", *words]
    return words


def _enter(directory: Path) -> None:
    try:
        os.chdir(directory)
    except OSError as error:
        raise typer.BadParameter(message("cli.no_directory", path=directory, why=error.strerror)) from error
