"""Keys of the screen. What each does is an action of the session; nothing here decides."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from prompt_toolkit.application import get_app
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.vi_state import InputMode
from prompt_toolkit.keys import Keys

if TYPE_CHECKING:
    from mewcode.terminal.screen import Screen

TWICE_SECONDS = 0.8
"""Two Escapes within this go back to an earlier message."""

_PANEL_KEYS = {"enter": "enter", "up": "up", "down": "down", "left": "left", "right": "right", "tab": "tab"}


class Actions(Protocol):
    """What the session does when a key asks for it."""

    def escape(self) -> None: ...
    def escape_twice(self) -> None: ...
    def control_c(self) -> None: ...
    def control_d(self) -> None: ...
    def next_mode(self) -> None: ...
    def edit(self) -> None: ...
    def transcript_key(self) -> None: ...
    def tasks(self) -> None: ...
    def take_back(self) -> bool: ...
    def search_history(self) -> None: ...
    def paste_image(self) -> None: ...


@dataclass
class _Escapes:
    last: float = 0.0

    def is_second(self) -> bool:
        now = time.monotonic()
        second, self.last = now - self.last < TWICE_SECONDS, now
        if second:
            self.last = 0.0
        return second


def key_bindings(screen: "Screen", actions: Actions) -> KeyBindings:
    keys = KeyBindings()
    asked = Condition(lambda: screen.panel is not None and screen.panel.armed)
    unarmed = Condition(lambda: screen.panel is not None and not screen.panel.armed)
    _add_panel_keys(keys, screen, asked)
    _add_text_keys(keys, screen, ~asked)
    _add_session_keys(keys, screen, actions, ~asked)

    @keys.add(Keys.Any, filter=unarmed)
    def typed_on(event: KeyPressEvent) -> None:
        panel = screen.panel
        if panel is None:
            return
        panel.last_key = time.monotonic()
        if not (panel.follows and panel.takes(event.data) and not screen.composer.text):
            event.current_buffer.insert_text(event.data)

    @keys.add("tab", filter=unarmed, eager=True)
    def turn_to_panel(event: KeyPressEvent) -> None:
        if screen.panel is not None:
            screen.panel.focused = True
            screen.refresh()

    @keys.add("c-c")
    def control_c(event: KeyPressEvent) -> None:
        actions.control_c()

    return keys


def _add_panel_keys(keys: KeyBindings, screen: "Screen", asked: Filter) -> None:
    def pass_on(name: str) -> None:
        if screen.panel is not None:
            screen.panel.key(name)
            screen.refresh()

    for key, name in _PANEL_KEYS.items():

        @keys.add(key, filter=asked, eager=True)
        def named(event: KeyPressEvent, name: str = name) -> None:
            pass_on(name)

    @keys.add("escape", filter=asked, eager=True)
    def escape(event: KeyPressEvent) -> None:
        pass_on("escape")

    @keys.add("backspace", filter=asked, eager=True)
    def backspace(event: KeyPressEvent) -> None:
        pass_on("backspace")

    @keys.add(Keys.Any, filter=asked, eager=True)
    def typed(event: KeyPressEvent) -> None:
        if not event.data.isprintable() or screen.panel is None:
            return
        if screen.panel.takes(event.data):
            pass_on(event.data)
        else:
            screen.panel.last_key = time.monotonic()
            screen.composer.buffer.insert_text(event.data)

    @keys.add(Keys.BracketedPaste, filter=asked, eager=True)
    def pasted(event: KeyPressEvent) -> None:
        """Text for a line of the panel; never an answer to its question."""
        if screen.panel is not None and screen.panel.typing:
            screen.panel.text += " ".join(event.data.split())
            screen.refresh()


def _add_text_keys(keys: KeyBindings, screen: "Screen", writing: Filter) -> None:
    composer = screen.composer
    chosen = Condition(
        lambda: bool(composer.buffer.complete_state and composer.buffer.complete_state.current_completion)
    )

    @keys.add("enter", filter=writing)
    def enter(event: KeyPressEvent) -> None:
        composer.enter()

    @keys.add("enter", filter=writing & chosen)
    def take_completion(event: KeyPressEvent) -> None:
        composer.buffer.complete_state = None

    @keys.add("c-j", filter=writing)
    @keys.add("escape", "enter", filter=writing)
    def new_line(event: KeyPressEvent) -> None:
        composer.buffer.insert_text("\n")

    @keys.add(Keys.BracketedPaste, filter=writing)
    def paste(event: KeyPressEvent) -> None:
        composer.paste(event.data)

    @keys.add("tab", filter=writing)
    def complete(event: KeyPressEvent) -> None:
        if composer.buffer.complete_state:
            composer.buffer.complete_next()
        else:
            composer.buffer.start_completion(select_first=True)


def _add_session_keys(keys: KeyBindings, screen: "Screen", actions: Actions, writing: Filter) -> None:
    vi_typing = Condition(
        lambda: get_app().editing_mode == EditingMode.VI and get_app().vi_state.input_mode != InputMode.NAVIGATION
    )
    completing = Condition(lambda: screen.composer.buffer.complete_state is not None)
    escapes = _Escapes()

    @keys.add("escape", filter=writing & ~vi_typing & ~completing)
    def escape(event: KeyPressEvent) -> None:
        if escapes.is_second():
            actions.escape_twice()
        else:
            actions.escape()

    @keys.add("escape", filter=writing & completing)
    def close_menu(event: KeyPressEvent) -> None:
        screen.composer.buffer.cancel_completion()

    @keys.add("c-d")
    def control_d(event: KeyPressEvent) -> None:
        actions.control_d()

    @keys.add("s-tab", filter=writing)
    def next_mode(event: KeyPressEvent) -> None:
        actions.next_mode()

    @keys.add("c-g", filter=writing)
    def edit(event: KeyPressEvent) -> None:
        actions.edit()

    @keys.add("c-o")
    def transcript(event: KeyPressEvent) -> None:
        actions.transcript_key()

    @keys.add("c-t", filter=writing)
    def tasks(event: KeyPressEvent) -> None:
        actions.tasks()

    @keys.add("c-r", filter=writing)
    def search_history(event: KeyPressEvent) -> None:
        actions.search_history()

    queued = Condition(lambda: bool(screen.live.queued) and not screen.composer.text)

    @keys.add("up", filter=writing & queued)
    def take_back(event: KeyPressEvent) -> None:
        actions.take_back()

    @keys.add("c-v", filter=writing)
    def paste_image(event: KeyPressEvent) -> None:
        actions.paste_image()
