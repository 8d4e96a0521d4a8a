"""Arithmetic runs code: `a[$(rm x)]` as a variable's value is evaluated when the variable stands in `$(( ))`."""

import re

_PLAIN = re.compile(r"[\w\s+\-*/%<>=!&|^~?:,()\[\]$#.{}\"]*")
_TWO_WORDS = re.compile(r"[\w$}]\s+[\w$]")
_NAME = re.compile(r"(?<![\w#])\$?\{?([A-Za-z_]\w*)")
_POSITIONAL = re.compile(r"\$\{?[\d@*!]")
_ASSIGNED = re.compile(
    r"(?:^|[\s;&|({\"'\\])(?:(?:export|declare|local|typeset|readonly)\s+(?:-\w+\s+)*)?([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?="
)
_LOOP = re.compile(r"\b(?:for|select)\s+([A-Za-z_]\w*)\s+in\s([^;\n]*)")
_READ = re.compile(
    r"\b(?:read|mapfile|readarray|getopts|printf\s+-v|declare\s+-n|local\s+-n|eval|source|wait)\b|:=|\$\{!"
)
_NUMBER = re.compile(
    r"(?:([\"']?)-?\d+\1|\"?\$\(\([\w\s+\-*/%$<>=!&|^?:]*\)\)\"?|\"?\$(?:#|\?|\{#\w+(?:\[[@*]\])?\})\"?|)(?=[\s;)&|},]|$)"
)
"""A number, arithmetic, a count or nothing, and then the end of the word."""


class Numbers:
    """Which variables of a line can only hold numbers.

    It reads every source of the line, the outer ones and those within: any assignment may come first, and a shell
    inherits what another exports. Asked only when all of them have been read.
    """

    def __init__(self) -> None:
        self._anything = False
        self._unsafe: set[str] = set()

    def read(self, text: str) -> None:
        """Notes the assignments that stand in a source."""
        self._anything = self._anything or _READ.search(text) is not None
        for found in _ASSIGNED.finditer(text):
            if not _NUMBER.match(text, found.end()):
                self._unsafe.add(found[1])
        for found in _LOOP.finditer(text):
            if not all(re.fullmatch(r"-?\d+|\{-?\d+\.\.-?\d+\}", item) for item in found[2].split()):
                self._unsafe.add(found[1])

    def assign(self, name: str, value: str) -> None:
        """Notes an assignment that the text may not show (`X""=1`)."""
        if not re.fullmatch(r"-?\d*", value):
            self._unsafe.add(name)

    def distrust_all(self) -> None:
        """After something that may have assigned anything (`read`)."""
        self._anything = True

    def is_safe(self, expression: str) -> bool:
        """Whether evaluating `expression` (its substitutions cut out) can only compute."""
        if not _PLAIN.fullmatch(expression) or _TWO_WORDS.search(expression) or ":=" in expression:
            return False
        if "$(" in expression.removeprefix("$(("):
            return False
        if _POSITIONAL.search(expression):
            return False
        names = _NAME.findall(expression)
        return not names or not (self._anything or self._unsafe.intersection(names))


def assigned_names(expression: str) -> list[str]:
    """The variables that an arithmetic expression may set."""
    return _NAME.findall(expression) if re.search(r"=|\+\+|--", expression) else []
