"""Ctrl+G: the message in the person's own editor."""

import asyncio
import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit.application import in_terminal

from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.terminal.face import Face

_COMMON = ("nano", "vi", "emacs")


def editor_command(setting: str | None, environ: Mapping[str, str]) -> list[str] | None:
    """The setting ui.editor, VISUAL, EDITOR, or what most machines have; None where there is nothing."""
    import shutil

    for text in (setting, environ.get("VISUAL"), environ.get("EDITOR"), *_COMMON):
        words = shlex.split(text) if text else []
        if words and shutil.which(words[0]):
            return words
    return None


async def edit_message(screen: "Face", setting: str | None) -> None:
    """The line becomes what was saved; an editor that fails leaves it as it was."""
    command = editor_command(setting, os.environ)
    if command is None:
        screen.hint(message("terminal.no_editor"), 5.0)
        return
    async with in_terminal():
        text = await asyncio.to_thread(_edited, command, screen.composer.text)
    if text is None:
        screen.hint(message("terminal.editor_failed", command=command[0]), 5.0)
        return
    screen.composer.clear()
    screen.composer.put(text)
    screen.refresh()


def _edited(command: list[str], text: str) -> str | None:
    with tempfile.TemporaryDirectory(prefix="mewcode-") as folder:
        path = Path(folder) / "message.md"
        path.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run([*command, str(path)], check=False)
            return path.read_text(encoding="utf-8", errors="replace").rstrip("\n") if done.returncode == 0 else None
        except OSError:
            return None
