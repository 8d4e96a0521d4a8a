"""The escapes of `$'…'` (bash manual, 3.1.2.4)."""

import re

_SIMPLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_NUMBER = re.compile(r"(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9A-Fa-f]{1,2})|[uU](?P<code>[0-9A-Fa-f]{1,8})")


class AnsiError(Exception):
    """An escape whose result is not plain text, or quotes that do not end."""


def decode_ansi(source: str, start: int, end: int) -> tuple[str, int]:
    """The text of `$'…'` whose content begins at `start`, and where the source goes on.

    `source` holds one character a byte (Latin-1), and so does the result. Raises AnsiError for NUL, control
    characters by `\\c` and unfinished quotes: no command needs them.
    """
    text: list[str] = []
    at = start
    while at < end:
        letter = source[at]
        if letter == "'":
            return "".join(text), at + 1
        if letter != "\\":
            text.append(letter)
            at += 1
            continue
        piece, at = _escape(source, at + 1)
        text.append(piece)
    raise AnsiError


def _escape(source: str, at: int) -> tuple[str, int]:
    simple = _SIMPLE.get(source[at : at + 1])
    if simple is not None:
        return simple, at + 1
    number = _NUMBER.match(source, at)
    if number is None:
        if source[at : at + 1] == "c":
            raise AnsiError
        return "\\" + source[at : at + 1], at + 1
    limit = 4 if source[at] == "u" else 8
    code = number["code"]
    if code is not None:
        code = code[:limit]
        return _character(int(code, 16)), at + 1 + len(code)
    value = int(number["octal"], 8) & 0xFF if number["octal"] else int(number["hex"], 16)
    if value == 0:
        raise AnsiError
    return chr(value), number.end()


def _character(code: int) -> str:
    if not 0 < code < 0x110000 or 0xD800 <= code < 0xE000:
        raise AnsiError
    return chr(code).encode().decode("latin-1")
