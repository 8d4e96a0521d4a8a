"""How commands print lists: columns that fit, the last one cut, or names with the whole of their values."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prompt_toolkit.utils import get_cwidth

from mewcode.terminal.cleaning import bare, bare_line
from mewcode.terminal.width import cut, pad, wrap

if TYPE_CHECKING:
    from mewcode.terminal.session import Session

NARROW = 60
"""Cells below which a list's last column gets a line of its own."""


def print_rows(session: "Session", rows: Sequence[Sequence[str]], meanings: Sequence[str | None] = ()) -> None:
    """Each column as wide as its widest cell, but no column but the last more than a part of the screen."""
    cells = [[bare_line(str(cell)) for cell in row] for row in rows]
    if not cells:
        return
    width, columns = session.screen.width, len(cells[0])
    most = max(12, (width - 2) // columns)
    widths = [min(most, max(get_cwidth(row[index]) for row in cells)) for index in range(columns - 1)]
    natural = sum(widths) + 2 * columns + max(get_cwidth(row[-1]) for row in cells)
    split = width < NARROW and columns > 1 and natural > width - 2
    lines = [line for row in cells for line in _row(session, row, widths, meanings, split=split)]
    session.screen.print("\n".join(lines))


def _row(
    session: "Session", row: Sequence[str], widths: Sequence[int], meanings: Sequence[str | None], *, split: bool
) -> list[str]:
    screen = session.screen
    parts, room = ["  "], screen.width - 3
    for index, width in enumerate(widths):
        text = cut(row[index], max(4, min(width, room)))
        room -= width + 2
        parts.append(_painted(session, pad(text, width) + "  ", meanings, index))
    last = len(row) - 1
    if not split:
        return ["".join([*parts, _painted(session, cut(row[last], max(4, room)), meanings, last)]).rstrip()]
    below = _painted(session, cut(row[last], screen.width - 7), meanings, last)
    return ["".join(parts).rstrip(), *([f"      {below}"] if row[last] else [])]


def _painted(session: "Session", text: str, meanings: Sequence[str | None], index: int) -> str:
    meaning = meanings[index] if index < len(meanings) else None
    return session.screen.ink.paint(text, meaning) if meaning else text


def print_pairs(session: "Session", rows: Sequence[tuple[str, str]]) -> None:
    """Names, and behind them the whole of their values, however long: nothing may hide behind an ellipsis."""
    screen = session.screen
    column = max((get_cwidth(name) for name, _ in rows), default=0)
    lines: list[str] = []
    for name, value in rows:
        first, *rest = wrap(bare(value), screen.width - column - 6, hard=True).split("\n")
        lines.append(f"  {screen.ink.paint(pad(name, column), 'dim')}  {first}")
        lines += [" " * (column + 4) + line for line in rest]
    screen.print("\n".join(lines))
