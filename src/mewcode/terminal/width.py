"""Text in terminal cells: Chinese characters and emoji take two."""

from collections.abc import Sequence

from prompt_toolkit.utils import get_cwidth


def cut(text: str, cells: int) -> str:
    """The beginning of a line that fits into `cells`, with an ellipsis where something was left out."""
    if get_cwidth(text) <= cells:
        return text
    kept: list[str] = []
    used = 0
    for character in text:
        used += get_cwidth(character)
        if used > cells - 1:
            break
        kept.append(character)
    return "".join(kept) + "…"


def cut_start(text: str, cells: int) -> str:
    """The end of a line that fits into `cells`: of a path the end says most."""
    if get_cwidth(text) <= cells:
        return text
    kept: list[str] = []
    used = 0
    for character in reversed(text):
        used += get_cwidth(character)
        if used > cells - 1:
            break
        kept.append(character)
    return "…" + "".join(reversed(kept))


def pad(text: str, cells: int) -> str:
    return text + " " * max(0, cells - get_cwidth(text))


def fold(items: Sequence[str], cells: int, between: str = " · ") -> str:
    """Items in as many lines of at most `cells` as they need, none of them broken unless it is too long by itself."""
    lines: list[str] = []
    for item in items:
        joined = f"{lines[-1]}{between}{item}" if lines else item
        if lines and get_cwidth(joined) <= cells:
            lines[-1] = joined
        else:
            lines.append(cut(item, cells))
    return "\n".join(lines)


def wrap(text: str, cells: int) -> str:
    """Prose in lines of at most `cells`, broken between words; a line goes on with its own indentation."""
    return "\n".join(part for line in text.split("\n") for part in _wrapped(line, max(10, cells)))


def _wrapped(line: str, cells: int) -> list[str]:
    if get_cwidth(line) <= cells:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    lines: list[str] = []
    current = indent
    for word in _words(line.strip()):
        if current.strip() and get_cwidth(current + word.rstrip()) > cells:
            lines.append(current.rstrip())
            current = indent
        current += word
    return [*lines, current.rstrip()]


def _words(text: str) -> list[str]:
    """Pieces between which a line may break: after spaces, and between wide characters."""
    pieces: list[str] = [""]
    for character in text:
        if pieces[-1].endswith(" ") or (pieces[-1] and get_cwidth(character) == 2):
            pieces.append(character)
        else:
            pieces[-1] += character
    return pieces
