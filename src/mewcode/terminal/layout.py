"""Where things stand on the screen: what is going on, the input line or a question, completions, the status line."""

from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from prompt_toolkit.application import get_app
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, to_formatted_text
from prompt_toolkit.layout import ConditionalContainer, HSplit, Layout, Window
from prompt_toolkit.layout.containers import VerticalAlign
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.processors import AppendAutoSuggestion

from mewcode.messages import message
from mewcode.terminal.cleaning import bare
from mewcode.terminal.live import Fragments
from mewcode.terminal.width import cut, pad

if TYPE_CHECKING:
    from mewcode.terminal.screen import Screen

FragmentsOf: TypeAlias = Callable[[], Fragments]

MOST_COMPLETIONS = 8
_NAME_SHARE = 0.6


def screen_layout(screen: "Screen") -> Layout:
    asked = Condition(lambda: screen.panel is not None)
    entry = Window(
        BufferControl(screen.composer.buffer, input_processors=[AppendAutoSuggestion()]),
        height=lambda: Dimension(min=1, max=max(1, screen.height // 2)),
        dont_extend_height=True,
        wrap_lines=True,
        get_line_prefix=lambda line, wrap: _prefix(screen, line, wrap),
    )
    panel = Window(
        FormattedTextControl(
            lambda: _bare(screen.panel.fragments(screen.width) if screen.panel else []),
            show_cursor=False,
            focusable=False,
        ),
        dont_extend_height=True,
        wrap_lines=True,
    )
    menu = Window(FormattedTextControl(lambda: _bare(_completions(screen))), dont_extend_height=True)
    return Layout(
        HSplit(
            [
                ConditionalContainer(
                    _lines(lambda: _tail(screen)), Condition(lambda: bool(screen.live.rendered and screen.live.tail))
                ),
                ConditionalContainer(
                    _lines(lambda: _bare(screen.live_fragments())), Condition(lambda: _is_live(screen))
                ),
                Window(height=1),
                ConditionalContainer(panel, asked),
                ConditionalContainer(entry, Condition(lambda: screen.panel is None or not screen.panel.armed)),
                ConditionalContainer(menu, Condition(lambda: _completing(screen))),
                ConditionalContainer(
                    Window(FormattedTextControl(lambda: _bare(screen.status_fragments())), height=1), ~asked
                ),
            ],
            align=VerticalAlign.TOP,
        ),
        focused_element=entry,
    )


def _lines(draw: "FragmentsOf") -> Window:
    return Window(FormattedTextControl(draw), dont_extend_height=True, wrap_lines=False)


def _bare(fragments: Fragments) -> Fragments:
    """What is drawn is drawn from texts of many origins: none of them turns the direction of the others around."""
    return [(piece[0], bare(piece[1])) for piece in fragments]


def _is_live(screen: "Screen") -> bool:
    live = screen.live
    return bool(live.queued or (screen.panel is None and (live.calls or live.busy)))


def _tail(screen: "Screen") -> Fragments:
    """The end of the growing answer: as many lines as leave room for the rest."""
    lines = screen.live.rendered.split("\n")
    shown = "\n".join(lines[-screen.tail_lines :])
    return pieces_of(shown)


@lru_cache(maxsize=4)
def pieces_of(text: str) -> Fragments:
    """Every key draws the screen anew; what did not change meanwhile is not taken apart again. The parser makes a piece
    of each character, and drawing looks at each piece many times: neighbours of one style are joined."""
    pieces = groupby(to_formatted_text(ANSI(text)), key=itemgetter(0))
    return [(style, "".join(piece[1] for piece in same)) for style, same in pieces]


def _prefix(screen: "Screen", line: int, wrap: int) -> Fragments:
    if line == 0 and wrap == 0:
        shell = screen.composer.text.startswith("!")
        return [("class:warn bold", "! ")] if shell else [("class:accent bold", message("terminal.prompt"))]
    return [("class:dim", "  ")]


def _completing(screen: "Screen") -> bool:
    state = screen.composer.buffer.complete_state
    return bool(state and state.completions)


def _completions(screen: "Screen") -> Fragments:
    state = screen.composer.buffer.complete_state
    if state is None:
        return []
    width, chosen = get_app().output.get_size().columns, state.complete_index
    first = max(0, min((chosen or 0) - MOST_COMPLETIONS + 2, len(state.completions) - MOST_COMPLETIONS))
    shown = state.completions[first : first + MOST_COMPLETIONS]
    names = max((len(one.display_text) for one in shown), default=0)
    column = min(names + 2, int(width * _NAME_SHARE))
    pieces: Fragments = []
    for index, one in enumerate(shown, first):
        style = "class:accent bold" if index == chosen else ""
        mark = "▸ " if index == chosen else "  "
        name = cut(one.display_text, width - 4)
        about = cut(one.display_meta_text, max(0, width - column - 4)) if one.display_meta_text else ""
        pieces.append((style, mark + (pad(name, column) if about else name)))
        pieces.append(("class:dim", about))
        pieces.append(("", "\n"))
    below = len(state.completions) - first - len(shown)
    if below:
        return [*pieces, ("class:dim", message("terminal.more_below", count=below))]
    return pieces[:-1]
