"""Does a command pattern match a command?

A pattern is a class (`@delete`), `*`, or words with `*` standing for any text: `git push *`. A trailing ` *` also
matches nothing, so `git push *` covers `git push`; it ends at a word boundary, so it never covers `git pushd`.
`git*` without the blank covers `gitk`. `\\*` is a star. Others write `git push:*` for `git push *`: a deny or ask is
read both ways, an allow only as it stands.
"""

import re
from functools import lru_cache

from mewcode.governance.commands.analysis import Command


def matches(pattern: str, command: Command) -> bool:
    """Whether `pattern` matches any reading of `command`: the question of deny and ask rules."""
    pattern = pattern.strip()
    if pattern.startswith("@"):
        return pattern in command.classes
    if pattern == "*":
        return True
    expressions = [_expression(reading) for reading in _readings(pattern)]
    texts = (command.text, *command.readings, *_without_suffix(command.text))
    return any(expression.fullmatch(text) for text in texts for expression in expressions)


def allows(pattern: str, command: Command) -> bool:
    """Whether `pattern` surely matches `command`: the question of allow rules.

    Code that cannot be read (`python -c`, a script piped into `node`) needs a rule that names the command: `*` is not
    enough.
    """
    pattern = pattern.strip()
    if pattern.startswith("@"):
        return pattern in command.classes
    if pattern == "*":
        return not command.opaque
    return _expression(pattern).fullmatch(command.text) is not None


def _without_suffix(text: str) -> tuple[str, ...]:
    """The command as it is called elsewhere: on Windows `RM.EXE x` and `C:\\bin\\rm.exe x` are `rm x`."""
    word, blank, rest = text.partition(" ")
    named = _PROGRAM.fullmatch(word.strip("'\""))
    return (f"{named['name'].lower()}{blank}{rest}",) if named else ()


_PROGRAM = re.compile(r"(?:.*[\\/])?(?P<name>[^\\/]+)\.(?:exe|com|cmd|bat)", re.IGNORECASE | re.DOTALL)


def _readings(pattern: str) -> tuple[str, ...]:
    return (pattern, f"{pattern[:-2]} *") if pattern.endswith(":*") else (pattern,)


@lru_cache(maxsize=4096)
def _expression(pattern: str) -> re.Pattern[str]:
    """Linear in the text: stars are lazy and never nested."""
    words = " ".join(pattern.split())
    optional_tail = words.endswith(" *") and not words.endswith("\\*")
    body = words[:-2] if optional_tail else words
    pieces = re.split(r"(\\\*|\*+)", body)
    source = "".join(_piece(piece) for piece in pieces)
    return re.compile(source + (r"(?: .*)?" if optional_tail else ""), re.DOTALL)


def _piece(piece: str) -> str:
    if piece == "\\*":
        return r"\*"
    if piece and set(piece) == {"*"}:
        return ".*"
    return re.escape(piece)
