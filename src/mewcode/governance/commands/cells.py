"""From the source of a word to its characters, each with what quoting left of it (bash manual, 3.1.2 and 3.5)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mewcode.governance.commands.ansi import decode_ansi


@dataclass(frozen=True)
class Cell:
    """One character, or one expansion: then `text` is its source, and `value` its value where that is known."""

    text: str
    quoted: bool = False
    expansion: bool = False
    value: str | None = None
    substitution: bool = False


class MisreadError(Exception):
    """The source of a word is not what bash would read as one word."""


Expand = Callable[[int, bool], Cell]
"""Takes where an expansion starts and whether it is within double quotes."""

_BLANKS = frozenset(" \t")
_METACHARACTERS = frozenset("\n;&|<>()")
_STARTS_EXPANSION = re.compile(r"[A-Za-z0-9_{(\[@*#?$!-]")


def read_words(
    source: str, start: int, end: int, expansions: Mapping[int, int], expand: Expand
) -> list[tuple[int, list[Cell]]]:
    """The words at `source[start:end]`, each with where it starts; `expansions` maps each expansion's start to its end.

    Raises MisreadError where the text there is not words and blanks to bash.
    """
    words: list[tuple[int, list[Cell]]] = []
    reader = _Reader(source, start, end, expansions, expand)
    while reader.skip_blanks():
        begin = reader.at
        words.append((begin, reader.read_word()))
    return words


class _Reader:
    def __init__(self, source: str, start: int, end: int, expansions: Mapping[int, int], expand: Expand) -> None:
        self.source = source
        self.at = start
        self.end = end
        self.expansions = expansions
        self.expand = expand
        self.cells: list[Cell] = []

    def skip_blanks(self) -> bool:
        """Whether a word follows."""
        while self.at < self.end:
            if self.source[self.at] in _BLANKS:
                self.at += 1
            elif self.source.startswith("\\\n", self.at):
                self.at += 2
            else:
                return True
        return False

    def read_word(self) -> list[Cell]:
        if self.source[self.at] == "#":
            raise MisreadError
        self.cells = []
        while self.at < self.end and self.source[self.at] not in _BLANKS:
            self._read_unquoted()
        return self.cells

    def _read_unquoted(self) -> None:
        letter = self.source[self.at]
        if self.at in self.expansions:
            self._take_expansion(quoted=False)
        elif letter == "'":
            self._take_single_quotes()
        elif letter == '"':
            self._take_double_quotes()
        elif letter == "\\":
            self._take_escape()
        elif letter == "$":
            self._take_dollar()
        elif letter in _METACHARACTERS or letter == "`":
            raise MisreadError
        else:
            self._add(letter)

    def _add(self, letter: str, *, quoted: bool = False, width: int = 1) -> None:
        self.cells.append(Cell(letter, quoted=quoted))
        self.at += width

    def _take_expansion(self, *, quoted: bool) -> None:
        after = self.expansions[self.at]
        if after > self.end:
            raise MisreadError
        self.cells.append(self.expand(self.at, quoted))
        self.at = after

    def _take_single_quotes(self) -> None:
        close = self.source.find("'", self.at + 1, self.end)
        if close < 0:
            raise MisreadError
        self._add_quoted(self.source[self.at + 1 : close])
        self.at = close + 1

    def _add_quoted(self, text: str) -> None:
        """An empty quotation still makes a word."""
        self.cells.extend(Cell(letter, quoted=True) for letter in text or ("",))

    def _take_escape(self) -> None:
        if self.at + 1 >= self.end:
            raise MisreadError
        following = self.source[self.at + 1]
        if following == "\n":
            self.at += 2
        else:
            self._add(following, quoted=True, width=2)

    def _take_dollar(self) -> None:
        following = self.source[self.at + 1 : min(self.at + 2, self.end)]
        if following == "'":
            text, self.at = decode_ansi(self.source, self.at + 2, self.end)
            self._add_quoted(text)
        elif following == '"':
            self.at += 1
        elif following == "\\" or _STARTS_EXPANSION.match(following):
            raise MisreadError
        else:
            self._add("$")

    def _take_double_quotes(self) -> None:
        self.at += 1
        self._add_quoted("")
        while self.at < self.end and self.source[self.at] != '"':
            self._read_double_quoted()
        if self.at >= self.end:
            raise MisreadError
        self.at += 1

    def _read_double_quoted(self) -> None:
        letter, following = self.source[self.at], self.source[self.at + 1 : self.at + 2]
        if self.at in self.expansions:
            self._take_expansion(quoted=True)
        elif letter == "`" or (letter == "$" and (following == "\\" or _STARTS_EXPANSION.match(following))):
            raise MisreadError
        elif letter == "\\" and following == "\n":
            self.at += 2
        elif letter == "\\" and following and following in '$`"\\':
            self._add(following, quoted=True, width=2)
        else:
            self._add(letter, quoted=True)
