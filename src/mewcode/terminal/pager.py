"""Long text in the person's pager, on the terminal's other screen; what is on this one stays."""

import asyncio
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from prompt_toolkit.application import in_terminal

from mewcode.messages import message
from mewcode.terminal.face import Face


async def show_text(screen: Face, text: str) -> None:
    """Waits until the person leaves the pager. Without one the text is printed."""
    if not text.strip():
        screen.hint(message("terminal.nothing_yet"))
        return
    command = pager_command()
    if command is None:
        screen.print(text)
        return
    async with in_terminal():
        await asyncio.to_thread(_page, command, text)


def pager_command() -> list[str] | None:
    given = os.environ.get("PAGER")
    if given and (words := shlex.split(given)) and shutil.which(words[0]):
        return words
    less = shutil.which("less")
    return [less, "-R", "+G"] if less else None


def _page(command: list[str], text: str) -> None:
    with tempfile.TemporaryDirectory(prefix="mewcode-") as folder:
        path = Path(folder) / "transcript.txt"
        path.write_text(text, encoding="utf-8", errors="replace")
        subprocess.run([*command, str(path)], check=False, env={**os.environ, "LESSSECURE": "1"})
