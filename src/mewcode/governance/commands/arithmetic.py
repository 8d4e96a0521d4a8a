"""Arithmetic runs code: `a[$(rm x)]` as a variable's value is evaluated when the variable stands in `$(( ))`."""

import re

_PLAIN = re.compile(r"[\w\s+\-*/%<>=!&|^~?:,()\[\]$#.{}\"]*")
_TWO_WORDS = re.compile(r"[\w$}]\s+[\w$]")
_NAME = re.compile(r"(?<![\w#])\$?\{?([A-Za-z_]\w*)")
_POSITIONAL = re.compile(r"\$\{?[\d@*!]")
_ASSIGNED = re.compile(
    r"(?:^|[\s;&|({\"'])(?:(?:export|declare|local|typeset|readonly)\s+(?:-\w+\s+)*)?([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?="
    r"(\S*)"
)
_LOOP = re.compile(r"\b(?:for|select)\s+([A-Za-z_]\w*)\s+in\s([^;\n]*)")
_READ = re.compile(
    r"\b(?:read|mapfile|readarray|getopts|printf\s+-v|declare\s+-n|local\s+-n|eval|source|wait)\b|:=|\$\{!"
)
_NUMBER = re.compile(r"[\"']?-?\d+[\"']?[;)}&|]*|\$\(\([^$`]*\)*[;)}&|]*|\$\{?#[\w@*]*\}?[;)]*|")


class Numbers:
    """Which variables of a source can only hold numbers; any assignment in the text may come first."""

    def __init__(self, text: str) -> None:
        self._anything = _READ.search(text) is not None
        self._unsafe: set[str] = set()
        for found in _ASSIGNED.finditer(text):
            if not _NUMBER.fullmatch(found[2]):
                self._unsafe.add(found[1])
        for found in _LOOP.finditer(text):
            if not all(re.fullmatch(r"-?\d+|\{-?\d+\.\.-?\d+\}", item) for item in found[2].split()):
                self._unsafe.add(found[1])

    def is_safe(self, expression: str) -> bool:
        """Whether evaluating `expression` (its substitutions cut out) can only compute."""
        if not _PLAIN.fullmatch(expression) or _TWO_WORDS.search(expression) or ":=" in expression:
            return False
        if _POSITIONAL.search(expression):
            return False
        names = _NAME.findall(expression)
        return not names or not (self._anything or self._unsafe.intersection(names))


def assigned_names(expression: str) -> list[str]:
    """The variables that an arithmetic expression may set."""
    return _NAME.findall(expression) if re.search(r"=|\+\+|--", expression) else []
