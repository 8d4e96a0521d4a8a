"""The screen: a few living lines at the bottom of the terminal, and everything that is over printed above them.

What was printed belongs to the terminal: its own scrollback, search and selection work on it.
"""

import gc
import sys
import time
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.cursor_shapes import CursorShape
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from mewcode.terminal.cleaning import bare, coloured
from mewcode.terminal.composer import Composer
from mewcode.terminal.face import Face
from mewcode.terminal.ink import Ink
from mewcode.terminal.keys import Actions, key_bindings
from mewcode.terminal.layout import screen_layout
from mewcode.terminal.live import Fragments
from mewcode.terminal.width import wrap

ESCAPE_SECONDS = 0.05
"""How long after an Escape byte the rest of an escape sequence may come."""
_BEGIN_FRAME, _END_FRAME = "\x1b[?2026h", "\x1b[?2026l"
"""Synchronised output: terminals that know it show all of it at once, the others ignore it."""


class Screen(Face):
    """`status` draws the line at the bottom, `typed` came before there was a screen."""

    def __init__(
        self,
        composer: Composer,
        actions: Actions,
        ink: Ink,
        status: Callable[[int], Fragments],
        *,
        vi: bool = False,
        typed: bytes = b"",
    ) -> None:
        super().__init__(composer, ink)
        self._status = status
        self._hint, self._hint_until = "", 0.0
        self._running = False
        self.frame_seconds = 0.0
        """How long the newest frame took to draw."""
        self._last_key = time.monotonic()
        self._output = _output(ink)
        self.app: Application[None] = Application(
            layout=screen_layout(self),
            key_bindings=key_bindings(self, actions),
            style=Style.from_dict(ink.style_rules()),
            editing_mode=EditingMode.VI if vi else EditingMode.EMACS,
            input=create_input(sys.stdin),
            output=self._output,
            cursor=CursorShape.BEAM if vi else None,
            erase_when_done=True,
        )
        _take_in(self.app.input, typed)
        self.app.ttimeoutlen = ESCAPE_SECONDS
        self.app.timeoutlen = 0.15

    # --- size ------------------------------------------------------------------------------------------------

    @property
    def width(self) -> int:
        return self._output.get_size().columns

    @property
    def height(self) -> int:
        return self._output.get_size().rows

    @property
    def tail_lines(self) -> int:
        return max(3, self.height // 2)

    # --- running ---------------------------------------------------------------------------------------------

    async def run(self) -> None:
        began = 0.0

        def drawing(app: Application[None]) -> None:
            nonlocal began
            began = time.monotonic()

        def drawn(app: Application[None]) -> None:
            self.frame_seconds = time.monotonic() - began
            self._running = True
            gc.enable()

        def pressed(processor: object) -> None:
            self._last_key = time.monotonic()

        self.app.before_render += drawing
        self.app.after_render += drawn
        self.app.key_processor.after_key_press += pressed
        try:
            await self.app.run_async(handle_sigint=False, set_exception_handler=False)
        finally:
            self._running = False
            self.app.after_render -= drawn

    def exit(self) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def fail(self, error: BaseException) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit(exception=error)

    # --- printing above --------------------------------------------------------------------------------------

    def print(self, text: str, meaning: str | None = None) -> None:
        painted = self.ink.paint(wrap(bare(text), self.width - 1), meaning) if meaning else coloured(text)
        lines = painted.replace("\n", "\r\n") + "\r\n"
        if not self._running or self.app.is_done:
            sys.stdout.write(lines)
            sys.stdout.flush()
            return
        renderer = self.app.renderer
        self._output.write_raw(_BEGIN_FRAME)
        renderer.erase(leave_alternate_screen=False)
        self._output.write_raw(lines)
        self.app.render_counter += 1  # what is drawn is cached by this number
        renderer.render(self.app, self.app.layout)
        self._output.write_raw(_END_FRAME)
        self._output.flush()

    def restyle(self, ink: Ink, *, vi: bool | None = None) -> None:
        super().restyle(ink)
        self.app.style = Style.from_dict(ink.style_rules())
        if vi is not None:
            self.app.editing_mode = EditingMode.VI if vi else EditingMode.EMACS

    def refresh(self) -> None:
        if self._running:
            self.app.invalidate()

    def write_control(self, sequence: str) -> None:
        if self._running:
            self._output.write_raw(sequence)
            self._output.flush()

    @property
    def idle_seconds(self) -> float:
        return time.monotonic() - self._last_key

    # --- what the layout draws ---------------------------------------------------------------------------------

    def live_fragments(self) -> Fragments:
        self.live.asking = self.panel is not None
        return self.live.fragments(self.width, max(3, self.height // 2))

    def status_fragments(self) -> Fragments:
        if time.monotonic() < self._hint_until:
            return [("class:warn", f"  {self._hint}")]
        return self._status(self.width)

    @property
    def hinting(self) -> bool:
        """Whether a hint is shown, or has just ended and must be wiped away."""
        return self._hint_until > 0 and time.monotonic() < self._hint_until + 1

    def hint(self, text: str, seconds: float = 2.0) -> None:
        """In the place of the status line."""
        self._hint, self._hint_until = text, time.monotonic() + seconds
        self.refresh()


def _take_in(input_: Input, typed: bytes) -> None:
    """What was typed before the screen was there becomes its first keys."""
    keys: list[KeyPress] = []
    parser = Vt100Parser(keys.append)
    parser.feed_and_flush(typed.decode("utf-8", errors="replace"))
    store_typeahead(input_, keys)


def _output(ink: Ink) -> Output:
    """Without cursor position requests: the screen only ever draws right below what was printed last."""
    output = create_output(sys.stdout)
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False
        output.default_color_depth = ColorDepth.DEPTH_4_BIT if ink.colour else ColorDepth.DEPTH_1_BIT
    return output
