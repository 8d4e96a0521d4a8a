"""How commands print lists: columns that fit, the last one cut."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prompt_toolkit.utils import get_cwidth

from mewcode.agent.render import clean
from mewcode.terminal.width import cut, pad

if TYPE_CHECKING:
    from mewcode.terminal.session import Session


def print_rows(session: "Session", rows: Sequence[Sequence[str]], meanings: Sequence[str | None] = ()) -> None:
    """Each column as wide as its widest cell, but no column but the last more than a part of the screen."""
    screen = session.screen
    cells = [[" ".join(clean(str(cell)).split()) for cell in row] for row in rows]
    if not cells:
        return
    columns = len(cells[0])
    most = max(12, (screen.width - 2) // columns)
    widths = [min(most, max(get_cwidth(row[index]) for row in cells)) for index in range(columns - 1)]
    lines: list[str] = []
    for row in cells:
        parts, room = ["  "], screen.width - 3
        for index, cell in enumerate(row):
            width = widths[index] if index < columns - 1 else room
            text = cut(cell, max(4, min(width, room)))
            room -= (width if index < columns - 1 else get_cwidth(text)) + 2
            padded = pad(text, width) + "  " if index < columns - 1 else text
            meaning = meanings[index] if index < len(meanings) else None
            parts.append(screen.ink.paint(padded, meaning) if meaning else padded)
        lines.append("".join(parts).rstrip())
    screen.print("\n".join(lines))
