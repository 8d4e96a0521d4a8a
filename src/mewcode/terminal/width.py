"""Text in terminal cells: Chinese characters and emoji take two."""

from collections.abc import Iterator, Sequence

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


def wrap(text: str, cells: int, *, hard: bool = False) -> str:
    """Prose in lines of at most `cells`, broken between words; a line goes on with its own indentation. A word that is
    too long stays whole, so that an address can be copied, unless `hard` says that nothing may stand out."""
    return "\n".join(part for line in text.split("\n") for part in _wrapped(line, max(10, cells), hard=hard))


def hang(text: str, indent: str, cells: int) -> str:
    """The same, `hard`, for a text whose every line begins with `indent`."""
    lines = wrap(text, cells - len(indent) - 1, hard=True).split("\n")
    return "\n".join(indent + line for line in lines)


def _wrapped(line: str, cells: int, *, hard: bool) -> list[str]:
    if get_cwidth(line) <= cells:
        return [line]
    indent = line[: len(line) - len(line.lstrip())][: cells // 2]
    lines: list[str] = []
    current = indent
    for word in _words(line.strip()):
        for piece in _pieces(word, cells - len(indent)) if hard else (word,):
            if current.strip() and get_cwidth(current + piece.rstrip()) > cells:
                lines.append(current.rstrip())
                current = indent
            current += piece
    return [*lines, current.rstrip()]


def _pieces(word: str, cells: int) -> Iterator[str]:
    """A word in parts that fit."""
    part, used = "", 0
    for character in word:
        width = get_cwidth(character)
        if part and used + width > cells:
            yield part
            part, used = "", 0
        part, used = part + character, used + width
    yield part


def _words(text: str) -> list[str]:
    """Pieces between which a line may break: after spaces, and between wide characters."""
    pieces: list[str] = [""]
    for character in text:
        if pieces[-1].endswith(" ") or (pieces[-1] and get_cwidth(character) == 2):
            pieces.append(character)
        else:
            pieces[-1] += character
    return pieces
