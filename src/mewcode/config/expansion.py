"""${VAR}, ${VAR:-default} and ${file:PATH} in strings. `$$` before a brace keeps the text as it is."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

_REFERENCE = re.compile(
    r"\$\$(?=\{)|\$\{file:(?P<file>[^}]+)\}|\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]*))?\}"
)
_UNFINISHED = re.compile(r"(?<!\$)\$\{")

ReadFile: TypeAlias = Callable[[str], str]


class ExpansionError(Exception):
    """A reference that has no value. `name` is the variable or the file, never a value."""

    def __init__(self, kind: Literal["unset", "file", "syntax"], name: str, reason: str = "") -> None:
        super().__init__(f"{kind}: {name}")
        self.kind: Literal["unset", "file", "syntax"] = kind
        self.name = name
        self.reason = reason


@dataclass(frozen=True)
class Expanded:
    """`secrets` are the values that came out of the environment or a file: they must never be shown."""

    text: str
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """What a text would read, were it expanded."""

    variables: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def expand(text: str, environ: Mapping[str, str], read_file: ReadFile) -> Expanded:
    """Expands once: what comes out is not looked at again. An empty variable takes the default, as in a shell.

    Raises ExpansionError for a variable that is not set, a file that cannot be read, a reference that does not end.
    """
    secrets: list[str] = []

    def value_of(found: "re.Match[str]") -> str:
        if found.group() == "$$":
            return "$"
        value, is_secret = _value(found, environ, read_file)
        if is_secret:
            secrets.append(value)
        return value

    _refuse_unfinished(text)
    return Expanded(_REFERENCE.sub(value_of, text), tuple(secrets))


def wanted(text: str) -> Wanted:
    """The variables and files that `text` names."""
    found = list(_REFERENCE.finditer(text))
    return Wanted(
        tuple(dict.fromkeys(match["name"] for match in found if match["name"])),
        tuple(dict.fromkeys(match["file"] for match in found if match["file"])),
    )


def _value(found: "re.Match[str]", environ: Mapping[str, str], read_file: ReadFile) -> tuple[str, bool]:
    if found["file"]:
        return read_file(found["file"]), True
    value = environ.get(found["name"])
    if value or (value is not None and found["default"] is None):
        return value, True
    if found["default"] is None:
        raise ExpansionError("unset", found["name"])
    return found["default"], False


def _refuse_unfinished(text: str) -> None:
    """`${` that begins no reference is a slip of the pen (a missing brace, a strange name), not text."""
    for found in _UNFINISHED.finditer(text):
        if not _REFERENCE.match(text, found.start()):
            raise ExpansionError("syntax", "${")
