"""`/commands`: what there is, and running one."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mewcode.messages import message
from mewcode.terminal.said import Said

if TYPE_CHECKING:
    from mewcode.terminal.session import Session


@dataclass(frozen=True)
class Command:
    """`run` gets the session and what stands behind the name. `about` is a message's code. `idle` commands wait until
    the agent has finished; `early` ones need nothing that is still being opened; an `alias` is not listed."""

    name: str
    about: str
    run: "Callable[[Session, str], Awaitable[None]]"
    arguments: str = ""
    idle: bool = False
    early: bool = False
    alias: bool = False


def commands() -> dict[str, Command]:
    """All built-in commands by name, in the order of /help."""
    from mewcode.terminal.commands import ALL

    return {command.name: command for command in ALL}


async def run_command_line(session: "Session", line: str) -> None:
    """Runs `/name arguments`: a built-in command, a server's prompt, or a command of the project."""
    name, _, arguments = line[1:].partition(" ")
    if session.screen.echoes:
        session.screen.print(f"\n{session.screen.ink.paint(f'> {line.splitlines()[0]}', 'dim')}")
    if name.startswith("mcp:"):
        from mewcode.terminal.prompts import send_prompt

        session.work.do(lambda: send_prompt(session, line))
        return
    command = commands().get(name)
    if command is None:
        await _unknown_or_project(session, name, arguments.strip())
    elif command.idle and session.work.busy:
        session.screen.print(message("terminal.busy", command=f"/{name}"), "warn")
    else:
        if not command.early:
            await session.household.settled.wait()
        await command.run(session, arguments.strip())


async def _unknown_or_project(session: "Session", name: str, arguments: str) -> None:
    from mewcode.terminal.project_commands import expanded, project_commands

    known = project_commands(session.start.workspace)
    if name in known:
        said = f"/{name} {arguments}".strip()
        session.turns.say(Said(said, (meaning(said, expanded(known[name], arguments)),)))
        return
    close = _nearest(name, [*commands(), *known])
    hint = message("terminal.did_you_mean", name=close) if close else message("terminal.see_help")
    session.screen.print(f"{message('terminal.no_command', name=name)} {hint}", "bad")


def meaning(said: str, text: str) -> str:
    """What the model reads beside a command that stands for a longer text."""
    return f"The person's command {said} stands for:\n{text}"


def _nearest(name: str, names: list[str]) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, names, 1)), None)


def completions_of(session: "Session", word: str) -> Iterator[tuple[str, str]]:
    """Names that begin with `word` (without the slash), with what each does."""
    from mewcode.terminal.project_commands import project_commands

    for command in commands().values():
        if command.name.startswith(word) and not command.alias:
            yield command.name, message(command.about)
    for name, command in project_commands(session.start.workspace).items():
        if name.startswith(word):
            yield name, command.about
