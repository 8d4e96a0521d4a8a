"""Reads a sed script (GNU sed manual, 3 to 4): which files it writes, which commands it runs."""

import re
from dataclasses import dataclass, field


class SedError(Exception):
    """The script is not one that this reader knows."""


@dataclass
class SedActs:
    """`runs` has the lines that `e` runs, "" where the line is made from the input."""

    writes: list[str] = field(default_factory=list[str])
    reads: list[str] = field(default_factory=list[str])
    runs: list[str] = field(default_factory=list[str])


_ADDRESS = re.compile(r"[\d$]+(?:~\d+)?|[+~]\d+|(?P<regex>/|\\.)")
_PLAIN = frozenset("=dDgGhHnNpPxzF{}")
_NUMBER = re.compile(r"[lLqQ]\s*\d*")
_LABEL = re.compile(r"[:btT]\s*[^;}\n]*")


def read_sed(script: str) -> SedActs:
    """Raises SedError for what is not understood."""
    reader = _Reader(script)
    reader.read()
    return reader.acts


class _Reader:
    def __init__(self, script: str) -> None:
        self.script = script
        self.at = 0
        self.acts = SedActs()

    def read(self) -> None:
        while self._skip(" \t\n;"):
            self._address()
            if self._skip(" \t") and self._peek() == ",":
                self.at += 1
                self._skip(" \t")
                self._address()
            while self._skip(" \t") and self._peek() == "!":
                self.at += 1
            if self._skip(" \t"):
                self._command()

    def _peek(self) -> str:
        return self.script[self.at : self.at + 1]

    def _skip(self, letters: str) -> bool:
        """Whether anything is left behind these letters."""
        while self._peek() and self._peek() in letters:
            self.at += 1
        return bool(self._peek())

    def _address(self) -> None:
        found = _ADDRESS.match(self.script, self.at)
        if found is None:
            return
        self.at = found.end()
        if found["regex"]:
            self._until(found["regex"][-1])
            while self._peek() in ("I", "M"):
                self.at += 1

    def _until(self, stop: str) -> str:
        """The text up to an unescaped delimiter. Within `[…]` the delimiter ends it too, as in GNU sed's `s`; a
        script where that matters is not understood."""
        begin = self.at
        while self.at < len(self.script):
            letter = self.script[self.at]
            if letter == "\\":
                self.at += 2
                continue
            if letter == stop:
                self.at += 1
                text = self.script[begin : self.at - 1]
                if text.count("[") != text.count("]"):
                    raise SedError
                return text
            if letter == "\n" and stop != "\n":
                raise SedError
            self.at += 1
        raise SedError

    def _line(self) -> str:
        stop = self.script.find("\n", self.at)
        stop = len(self.script) if stop < 0 else stop
        text = self.script[self.at : stop].strip(" \t")
        self.at = stop
        return text

    def _command(self) -> None:
        letter = self._peek()
        if letter in _PLAIN:
            self.at += 1
        elif letter in "lLqQ" or letter in ":btT":
            found = (_NUMBER if letter in "lLqQ" else _LABEL).match(self.script, self.at)
            self.at = found.end() if found else len(self.script)
        elif letter == "#":
            self._line()
        elif letter in "aic":
            self._text()
        elif letter in "wWrR":
            self.at += 1
            (self.acts.writes if letter in "wW" else self.acts.reads).append(self._line())
        elif letter == "e":
            self.at += 1
            self.acts.runs.append(self._line())
        elif letter == "s":
            self._substitute()
        elif letter == "y":
            self.at += 2
            delimiter = self.script[self.at - 1]
            self._until(delimiter)
            self._until(delimiter)
        else:
            raise SedError

    def _text(self) -> None:
        """`a text` up to the end of the line; a backslash carries it on."""
        while self.at < len(self.script) and self.script[self.at] != "\n":
            self.at += 2 if self.script[self.at] == "\\" else 1

    def _substitute(self) -> None:
        delimiter = self.script[self.at + 1 : self.at + 2]
        if not delimiter or delimiter in "\\\n":
            raise SedError
        self.at += 2
        self._until(delimiter)
        self._until(delimiter)
        while self._peek() and self._peek() in "gpiImMe0123456789":
            if self._peek() == "e":
                self.acts.runs.append("")
            self.at += 1
        if self._peek() == "w":
            self.at += 1
            self.acts.writes.append(self._line())
        elif self._peek() not in ("", "\n", ";", "}", " ", "#"):
            raise SedError
