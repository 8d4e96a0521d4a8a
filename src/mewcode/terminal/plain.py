"""A session line by line: for pipes, dumb terminals and screen readers. No cursor movement, no colour, no drawing."""

import asyncio
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mewcode.messages import message
from mewcode.terminal.cleaning import bare
from mewcode.terminal.composer import Composer, Submit
from mewcode.terminal.face import Face
from mewcode.terminal.ink import Ink
from mewcode.terminal.tty_state import without_echo

if TYPE_CHECKING:
    from mewcode.terminal.key_actions import KeyActions

LOOK_SECONDS = 0.05
_SIGNS = re.compile(r"^(?:(✓ )|(✗ )|┃ |  [│▸] ?)", re.MULTILINE)
"""What a screen says with a sign at the beginning of a line."""


class PlainComposer(Composer):
    """There is no line to put anything back into: it is said instead."""

    def __init__(self, submit: Submit, say: Callable[[str], None]) -> None:
        from prompt_toolkit.completion import DummyCompleter

        super().__init__(None, DummyCompleter(), submit)
        self._say = say

    def put(self, text: str) -> None:
        self._say(message("terminal.put_back", text=text))


class PlainFace(Face):
    """Reads a line at a time. In a pipe the next one is read when what the last one asked for is done, or when there is
    a question; the end of the input ends the session after that."""

    def __init__(self, submit: Submit, actions: "KeyActions", settled: Callable[[], bool]) -> None:
        super().__init__(PlainComposer(submit, self.print), Ink(colour=False, plain=True))
        self.interactive = sys.stdin.isatty()
        self.echoes = not self.interactive
        self._submit = submit
        self._actions = actions
        self._settled = settled
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._over = asyncio.Event()
        self._error: BaseException | None = None
        self._prompted = False
        self._announced: object = None

    @property
    def width(self) -> int:
        """The terminal itself wraps."""
        return 1000

    # --- running ---------------------------------------------------------------------------------------------

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        threading.Thread(target=_read_lines, args=(loop, self._lines), name="lines", daemon=True).start()
        reading = asyncio.create_task(self._take_lines())
        over = asyncio.create_task(self._over.wait())
        with _on_interrupt(self._actions.control_c):
            await asyncio.wait([reading, over], return_when=asyncio.FIRST_COMPLETED)
        for task in (reading, over):
            task.cancel()
        ended = await asyncio.gather(reading, over, return_exceptions=True)
        failed = self._error or next((one for one in ended if isinstance(one, Exception)), None)
        if failed is not None:
            raise failed

    def exit(self) -> None:
        self._over.set()

    def fail(self, error: BaseException) -> None:
        self._error = error
        self._over.set()

    async def _take_lines(self) -> None:
        while True:
            await self._ready_for_a_line()
            line = await self._next_line()
            self._prompted = False
            panel = self.panel
            if line is None and panel is not None:
                panel.decline()
            elif line is None:
                await self._wait_until_settled()
                return
            elif panel is not None:
                panel.line(line)
                self._announced = None
            elif line.strip():
                self._submit(line, ())
                await asyncio.sleep(0)

    async def _next_line(self) -> str | None:
        """Also at the end of the input, again and again."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    async def _ready_for_a_line(self) -> None:
        """At a keyboard at once, whatever goes on: the line is queued then. In a pipe not before it is wanted."""
        if not self.interactive:
            await self._until(lambda: self._settled() or self.panel is not None)
        self._look()

    async def _wait_until_settled(self) -> None:
        def over() -> bool:
            if self.panel is not None:
                self.panel.decline()
            return self._settled()

        await self._until(over)

    async def _until(self, condition: Callable[[], bool]) -> None:
        """Nothing that it waits for could set an event: it is the work of others that ends."""
        for _ in iter(condition, True):
            await asyncio.sleep(LOOK_SECONDS)

    # --- showing ---------------------------------------------------------------------------------------------

    def print(self, text: str, meaning: str | None = None) -> None:
        self._write(_spoken(bare(text)).strip("\n") + "\n")

    def hint(self, text: str, seconds: float = 2.0) -> None:
        self.print(text)

    def began(self, title: str) -> None:
        self.print(message("terminal.running", title=title))

    def refresh(self) -> None:
        asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        """Says the question that waits, or that a message may be typed."""
        panel = self.panel
        if panel is not None and panel is not self._announced:
            self._announced = panel
            self.print(panel.lines())
        if self.interactive and not self._prompted and (panel is not None or self._settled()):
            self._prompted = True
            sys.stdout.write(message("terminal.prompt"))
            sys.stdout.flush()
        without_echo(panel is not None and panel.hidden)

    def _write(self, text: str) -> None:
        if not text.strip():
            return
        sys.stdout.write("\n" + text if self._prompted else text)
        sys.stdout.flush()
        if self._prompted:
            self._prompted = False
            self.refresh()


def _spoken(text: str) -> str:
    """`text` with words for signs that a screen reader would spell out."""
    words = {1: message("terminal.plain_done"), 2: message("terminal.plain_failed")}
    return _SIGNS.sub(lambda found: words.get(found.lastindex or 0, "  "), text)


@contextmanager
def _on_interrupt(act: Callable[[], None]) -> Generator[None, None, None]:
    """Ctrl+C as on the screen: it stops what goes on, and quits, the second time."""
    if sys.platform == "win32":
        yield
        return
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, act)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def _read_lines(loop: asyncio.AbstractEventLoop, lines: "asyncio.Queue[str | None]") -> None:
    """Reads below the buffer of sys.stdin, whose lock would hold up the end of the program."""
    rest = b""
    while data := _read(sys.stdin.fileno()):
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            loop.call_soon_threadsafe(lines.put_nowait, line.decode("utf-8", errors="replace").rstrip("\r"))
    for end in (rest.decode("utf-8", errors="replace") or None, None):
        if end is None or end:
            loop.call_soon_threadsafe(lines.put_nowait, end)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # the terminal is gone
        return b""
