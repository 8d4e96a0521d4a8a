"""From the cells of a word to the words it becomes: braces, tilde, splitting and wildcards, in bash's order."""

import os
import re

from mewcode.governance.commands.cells import Cell
from mewcode.governance.commands.word import Word

MOST_WORDS = 512
_WILDCARDS = frozenset("*?[")
_SEQUENCE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?|([A-Za-z])\.\.([A-Za-z])")


class TooManyWordsError(Exception):
    """A brace expansion that would make more words than anybody means."""


def words_of(cells: list[Cell]) -> list[Word]:
    """All words that the cells become. Raises TooManyWordsError."""
    words: list[Word] = []
    for alternative in _braces(cells):
        words.extend(_finish(part) for part in _split(_tilde(alternative)))
        if len(words) > MOST_WORDS:
            raise TooManyWordsError
    return words


def _braces(cells: list[Cell]) -> list[list[Cell]]:
    opening = next((at for at, cell in enumerate(cells) if _is(cell, "{")), None)
    while opening is not None:
        alternatives, close = _alternatives(cells, opening)
        if alternatives:
            tails = _braces(cells[close + 1 :])
            heads = [inner for alternative in alternatives for inner in _braces(alternative)]
            if len(heads) * len(tails) > MOST_WORDS:
                raise TooManyWordsError
            return [cells[:opening] + head + tail for head in heads for tail in tails]
        opening = next((at for at in range(opening + 1, len(cells)) if _is(cells[at], "{")), None)
    return [cells]


def _alternatives(cells: list[Cell], opening: int) -> tuple[list[list[Cell]], int]:
    """What stands between the commas of the brace at `opening`, and where it closes; nothing where it expands to
    nothing else."""
    depth, parts, part = 0, list[list[Cell]](), list[Cell]()
    for at in range(opening + 1, len(cells)):
        cell = cells[at]
        if _is(cell, "}") and depth == 0:
            parts.append(part)
            return (parts if len(parts) > 1 else _sequence(part)), at
        if _is(cell, ",") and depth == 0:
            parts.append(part)
            part = []
            continue
        depth += _is(cell, "{") - _is(cell, "}")
        part.append(cell)
    return [], opening


def _sequence(part: list[Cell]) -> list[list[Cell]]:
    if any(cell.quoted or cell.expansion for cell in part):
        return []
    found = _SEQUENCE.fullmatch("".join(cell.text for cell in part))
    if found is None:
        return []
    if found[4]:
        first, last, step = ord(found[4]), ord(found[5]), 1
    else:
        if max(len(found[1]), len(found[2]), len(found[3] or "")) > 9:
            raise TooManyWordsError
        first, last, step = int(found[1]), int(found[2]), abs(int(found[3] or 1)) or 1
    if abs(last - first) // step > MOST_WORDS:
        raise TooManyWordsError
    span = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    return [[Cell(letter) for letter in (chr(value) if found[4] else str(value))] for value in span]


def _tilde(cells: list[Cell]) -> list[Cell]:
    """`~` and `~/…` become the home directory; `~name` stays a word that is not known."""
    if not cells or not _is(cells[0], "~"):
        return cells
    name: list[str] = []
    for cell in cells[1:]:
        if cell.quoted or cell.expansion or cell.text == "/":
            break
        name.append(cell.text)
    following = cells[len(name) + 1 : len(name) + 2]
    if following and following[0].text != "/":
        return cells
    home = os.path.expanduser("~")  # noqa: PTH111 the text, also when it is no path
    if name or home == "~":
        return [Cell("~" + "".join(name), quoted=True, expansion=True), *cells[len(name) + 1 :]]
    return [*(Cell(letter, quoted=True) for letter in home), *cells[1:]]


def _split(cells: list[Cell]) -> list[list[Cell]]:
    """Known values that are not quoted split at blanks."""
    parts: list[list[Cell]] = [[]]
    split_any = False
    for cell in cells:
        if not cell.expansion or cell.value is None:
            parts[-1].append(cell)
            continue
        if cell.quoted:
            parts[-1].extend(Cell(letter, quoted=True) for letter in cell.value or ("",))
            continue
        split_any = True
        for letter in cell.value:
            if letter in " \t\n":
                parts.append([])
            else:
                parts[-1].append(Cell(letter))
    return [part for part in parts if part] if split_any else parts


def _finish(cells: list[Cell]) -> Word:
    text = "".join(cell.text for cell in cells)
    wild = _wildcards(cells)
    stop = next((at for at, cell in enumerate(cells) if cell.expansion or at in wild), None)
    glob = bool(wild)
    unknown = any(cell.expansion for cell in cells)
    whole = stop is None
    return Word(
        _unicode(text),
        literal=whole,
        prefix=_unicode(text if whole else "".join(cell.text for cell in cells[:stop])),
        glob=glob,
        splits=any(cell.expansion and not cell.quoted and not cell.substitution for cell in cells),
        wild=glob and not unknown,
        substitution=unknown and len(cells) == 1 and cells[0].substitution,
    )


def _unicode(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


def _is(cell: Cell, letter: str) -> bool:
    return cell.text == letter and not cell.quoted and not cell.expansion


def _wildcards(cells: list[Cell]) -> set[int]:
    """Where wildcards stand. `[` is one only where a `]` follows: alone it is the name of a command."""
    places = {at for at, cell in enumerate(cells) if cell.text in _WILDCARDS and not cell.quoted and not cell.expansion}
    last_bracket = max((at for at, cell in enumerate(cells) if "]" in cell.text or cell.expansion), default=-1)
    return {at for at in places if cells[at].text != "[" or at < last_bracket}
