"""How commands print lists: columns that fit, the last one cut, or names with the whole of their values."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from prompt_toolkit.utils import get_cwidth

from mewcode.terminal.cleaning import bare, bare_line
from mewcode.terminal.width import cut, cut_start, pad, wrap

if TYPE_CHECKING:
    from mewcode.terminal.session import Session

NARROW = 60
"""Cells below which a list's last column gets a line of its own."""


Meaning: TypeAlias = str | Mapping[str, str] | None
"""How a column is painted: in one way, or by what stands in the cell ("" for what the mapping does not know)."""


def print_rows(
    session: "Session",
    rows: Sequence[Sequence[str]],
    meanings: Sequence[Meaning] = (),
    *,
    keep_end: bool = False,
) -> None:
    """Each column as wide as its widest cell, but no column but the last more than a part of the screen. A column in
    which nothing stands is left out. `keep_end`: of the last column the end says most."""
    cells = [[bare_line(str(cell)) for cell in row] for row in rows]
    if not cells:
        return
    filled = [index for index in range(len(cells[0])) if any(row[index] for row in cells)]
    cells = [[row[index] for index in filled] for row in cells]
    meanings = [meanings[index] if index < len(meanings) else None for index in filled]
    width, columns = session.screen.width, len(cells[0])
    most = max(12, (width - 2) // columns)
    widths = [min(most, max(get_cwidth(row[index]) for row in cells)) for index in range(columns - 1)]
    natural = sum(widths) + 2 * columns + max(get_cwidth(row[-1]) for row in cells)
    split = width < NARROW and columns > 1 and natural > width - 2
    shorten = cut_start if keep_end else cut
    lines = [line for row in cells for line in _row(session, row, widths, meanings, shorten, split=split)]
    session.screen.print("\n".join(lines))


def _row(
    session: "Session",
    row: Sequence[str],
    widths: Sequence[int],
    meanings: Sequence[Meaning],
    shorten: Callable[[str, int], str],
    *,
    split: bool,
) -> list[str]:
    screen = session.screen
    parts, room = ["  "], screen.width - 3
    for index, width in enumerate(widths):
        text = cut(row[index], max(4, min(width, room)))
        room -= width + 2
        parts.append(_painted(session, pad(text, width) + "  ", meanings, index))
    last = len(row) - 1
    if not split:
        return ["".join([*parts, _painted(session, shorten(row[last], max(4, room)), meanings, last)]).rstrip()]
    below = _painted(session, shorten(row[last], screen.width - 7), meanings, last)
    return ["".join(parts).rstrip(), *([f"      {below}"] if row[last] else [])]


def _painted(session: "Session", text: str, meanings: Sequence[Meaning], index: int) -> str:
    meaning = meanings[index]
    if meaning is not None and not isinstance(meaning, str):
        meaning = meaning.get(text.strip(), meaning.get(""))
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
