"""A command from its line to its result: run, cleaned of terminal noise, cut to size, kept whole in a file."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from mewcode.workspace.output_economy import OutputEconomy
from mewcode.workspace.output_files import OutputFile
from mewcode.workspace.processes import Command, Ended, run
from mewcode.workspace.terminal_noise import LineStream

Live: TypeAlias = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class Finished:
    """`text` is what a reader gets; `output` names the file with everything, when `text` is not everything.

    `output_whole` is False when even the file was cut, at its largest size.
    """

    ended: Ended
    text: str
    cut: bool
    lines: int
    output: Path | None
    output_whole: bool


async def run_command(command: Command, *, room: int, output: Path, live: Live) -> Finished:
    """Runs the command; `room` is how many characters of output the result may have. Raises WorkspaceError."""
    economy = OutputEconomy(room)
    stream = LineStream()
    with OutputFile(output) as file:

        async def take(data: bytes) -> None:
            file.write(data)
            lines = stream.feed(data)
            for line in lines:
                economy.add(line)
            if lines:
                await live("\n".join(lines) + "\n")

        ended = await run(command, take)
        rest = stream.finish()
        for line in rest:
            economy.add(line)
    if rest:
        await live("\n".join(rest) + "\n")
    kept = economy.result()
    if not kept.cut:
        file.discard()
    return Finished(ended, kept.text, kept.cut, kept.lines, output if kept.cut else None, file.whole)
