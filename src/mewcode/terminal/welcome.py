"""The first lines: where we are. Printed before anything is loaded."""

import sys
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING

from mewcode import __version__
from mewcode.messages import message
from mewcode.terminal.ink import choose_ink
from mewcode.terminal.places import at_home

if TYPE_CHECKING:
    from mewcode.terminal.opening import Start


def greet(start: "Start") -> None:
    ink = choose_ink(start.hints.theme)
    name = ink.paint(f"MewCode {__version__}", "heading")
    sys.stdout.write(f"{name}  {ink.paint(at_home(start.workspace), 'dim')}\n")
    width = get_terminal_size().columns - 1
    sys.stdout.write(ink.paint(fill(message("terminal.greeting"), max(20, width)), "dim") + "\n")
    sys.stdout.flush()


def greet_plainly(start: "Start") -> None:
    sys.stdout.write(f"MewCode {__version__}  {at_home(start.workspace)}\n{message('terminal.plain_greeting')}\n")
    sys.stdout.flush()
