"""What a command prints, where its words spell it: `echo 'rm x' | bash` is `rm x`."""

import re

from mewcode.governance.commands.flow import Input
from mewcode.governance.commands.word import Word

_ESCAPE = re.compile(r"\\[\\nt]")
_ESCAPES = {"\\\\": "\\", "\\n": "\n", "\\t": "\t"}


def output_of(words: list[Word], stdin: Input | None) -> str | None:
    """The standard output of `echo`, `printf` and `cat` with known words; None where it is not certain."""
    if not words or not all(word.literal for word in words):
        return None
    name, arguments = words[0].text, [word.text for word in words[1:]]
    if name == "echo":
        return _echo(arguments)
    if name == "printf":
        return _printf(arguments)
    if name == "cat" and arguments in ([], ["-"]):
        return stdin.text if stdin else ""
    return None


def _echo(arguments: list[str]) -> str | None:
    end = "\n"
    while arguments and re.fullmatch(r"-[neE]+", arguments[0]):
        if "e" in arguments[0]:
            return None
        end = "" if "n" in arguments[0] else end
        arguments = arguments[1:]
    return " ".join(arguments) + end


def _printf(arguments: list[str]) -> str | None:
    if not arguments or arguments[0].startswith("-"):
        return None
    form, values = arguments[0], arguments[1:]
    if re.search(r"%(?!s)", form) or re.search(r"\\(?![\\nt])", form):
        return None
    form = _ESCAPE.sub(lambda found: _ESCAPES[found[0]], form)
    places = form.count("%s")
    if not places:
        return form if not values else None
    rounds = max(1, -(-len(values) // places))
    filled = iter([*values, *[""] * (rounds * places - len(values))])
    return "".join(re.sub("%s", lambda _: next(filled), form) for _ in range(rounds))
