"""The terminal as the shell gave it to us, and back again: no exit may leave it raw, without a cursor or coloured."""

import os
import select
import sys
from typing import Any

try:
    import termios
except ImportError:  # Windows: its console is put back by prompt_toolkit alone
    termios = None  # type: ignore[assignment]

_SANE = "\x1b[?2004l\x1b[?2026l\x1b[?25h\x1b[0m"
"""Ends bracketed paste and synchronised output, shows the cursor, takes colours away."""

_MOST_TYPED = 1 << 16
_INPUT_FLAGS, _LOCAL_FLAGS = 0, 3


class TerminalState:
    """Remembers how the terminal was set when it was made. `restore` may be called at any time, more than once.

    `drawn` says that the terminal is drawn on: where there are only lines, not even an escape sequence is written.
    """

    def __init__(self, *, drawn: bool = True) -> None:
        self._drawn = drawn
        self._before = _attributes()

    def take_keys(self) -> bytes:
        """Stops the echo and keeps every key for the screen; returns what was typed before, with Enter as Enter.

        The screen needs some hundred milliseconds to load. A key typed meanwhile would be shown twice, and Enter would
        arrive as Ctrl+J. Ctrl+C still interrupts.
        """
        wanted = _attributes()
        if termios is None or wanted is None:
            return b""
        wanted[_LOCAL_FLAGS] &= ~(termios.ECHO | termios.ICANON)
        wanted[_INPUT_FLAGS] &= ~termios.ICRNL
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, wanted)
        ready, _, _ = select.select([sys.stdin], [], [], 0)
        return os.read(sys.stdin.fileno(), _MOST_TYPED).replace(b"\n", b"\r") if ready else b""

    def restore(self) -> None:
        if termios is None or self._before is None:
            return
        try:
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._before)
            sys.stdout.write(_SANE if self._drawn else "")
            sys.stdout.flush()
        except (OSError, ValueError, termios.error):  # the terminal is gone
            return


def _attributes() -> list[Any] | None:
    if termios is None:
        return None
    try:
        return termios.tcgetattr(sys.stdin.fileno())
    except (OSError, ValueError, termios.error):
        return None


def without_echo(hidden: bool) -> None:
    """Whether the terminal shows what is typed: not while a key is."""
    attributes = _attributes()
    if termios is None or attributes is None:
        return
    wanted = attributes[_LOCAL_FLAGS] & ~termios.ECHO if hidden else attributes[_LOCAL_FLAGS] | termios.ECHO
    if wanted != attributes[_LOCAL_FLAGS]:
        attributes[_LOCAL_FLAGS] = wanted
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, attributes)
