"""Pictures that go along with a message: from the clipboard, or from a file whose path was pasted or dropped."""

import asyncio
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.calls import Image
    from mewcode.terminal.face import Face

MOST_BYTES = 5 << 20
"""What providers accept for one picture."""
CLIPBOARD_SECONDS = 5.0
_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
_LONGEST_PATH = 4096


def image_of(data: bytes) -> "Image | None":
    """By how the bytes begin, whatever a name or a program says; None for what no model takes, or too large a one."""
    from mewcode.calls import Image
    from mewcode.workspace.file_kinds import kind_of

    kind = kind_of(data)
    if kind is None or not kind.startswith("image/") or len(data) > MOST_BYTES:
        return None
    return Image(data, kind)


def pasted_file(text: str) -> "Image | None":
    """The picture behind a pasted text that is nothing but the absolute path of one, as terminals write it when a file
    is dropped on them: quoted, with backslashes, or as it is."""
    path = _path_in(text)
    if path is None:
        return None
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        return image_of(path.read_bytes())
    except OSError:
        return None


def _path_in(text: str) -> Path | None:
    text = text.strip()
    if "\n" in text or len(text) > _LONGEST_PATH or not text.rstrip("'\"").lower().endswith(_SUFFIXES):
        return None
    if text.startswith("file://"):
        text = unquote(urlsplit(text).path)
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    found = [Path(one).expanduser() for one in (words[0] if len(words) == 1 else "", text) if one]
    return next((one for one in found if one.is_absolute() and one.is_file()), None)


def clipboard_commands(environ: Mapping[str, str]) -> list[list[str]]:
    """Programs on this machine that can give the picture in the clipboard, for the desktop that is there."""
    known = [
        (bool(environ.get("WAYLAND_DISPLAY")), ["wl-paste", "--no-newline", "--type", "image/png"]),
        (bool(environ.get("DISPLAY")), ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"]),
        (sys.platform == "darwin", ["pngpaste", "-"]),
    ]
    return [command for there, command in known if there and shutil.which(command[0])]


async def paste_from_clipboard(screen: "Face") -> None:
    """Puts a placeholder into the line, or says why there is none."""
    commands = clipboard_commands(os.environ)
    if not commands:
        screen.hint(message("terminal.no_clipboard"), 6.0)
        return
    for command in commands:
        image = image_of(await asyncio.to_thread(_output_of, command))
        if image is not None:
            screen.composer.attach(image)
            screen.refresh()
            return
    screen.hint(message("terminal.no_image_in_clipboard"), 4.0)


def _output_of(command: list[str]) -> bytes:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=CLIPBOARD_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""
