"""Which files a command's output names, where that is told by the command itself: `find . -name '*.py' | xargs cat`."""

import posixpath
from typing import TYPE_CHECKING

from mewcode.governance.file_names import EVERY_NAME, Drawn, FileNames, is_plain

if TYPE_CHECKING:
    from mewcode.governance.commands.call import Call
    from mewcode.governance.commands.options import Arguments

_FILTERS = frozenset({"head", "tail", "sort", "uniq", "tac", "shuf"})
"""Give on lines as they are."""
_SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg"})
_NAMING = ("-l", "-L", "--files-with-matches", "--files-without-match", "--files")
_CHOICES = frozenset({"-v", "-i", "-E", "-F", "-w", "-x", "--invert-match", "--ignore-case"})
_OTHER_OUTPUT = ("-exec", "-ok", "-printf", "-ls", "-fls", "-files0")
_ACTIONLESS_JOINS = frozenset({"-o", "-or", "!", "-not", ",", "(", ")"})


def of_output(call: "Call") -> Drawn | None:
    """What the output of a filter names: what its input does. What `grep -l` and `rg --files` name they have read
    themselves, which was judged."""
    if call.name in _SEARCHES and call.arguments.has(*_NAMING):
        return ()
    stdin, arguments = call.flow.stdin, call.arguments
    if stdin is None:
        return None
    if call.name in _FILTERS and not arguments.operands:
        return stdin.names
    if call.name in ("grep", "egrep", "fgrep") and len(arguments.operands) == 1:
        plain = all(option.name in _CHOICES for option in arguments.options)
        return stdin.names if plain else None
    return None


def of_git(name: str, arguments: "Arguments") -> Drawn | None:
    """What git keeps is no secret of the working folder."""
    given = {option.name for option in arguments.options}
    if name == "ls-files" and not given & {"-o", "--others", "-i", "--ignored", "--format"}:
        return ()
    return () if name in ("diff", "grep") and given & {"--name-only", "-l", "--files-with-matches"} else None


def of_find(call: "Call") -> Drawn | None:
    """The start folders and the one `-name`; every name where the expression is not that plain."""
    words = call.rest
    if any(word.text.startswith(_OTHER_OUTPUT) for word in words):
        return None
    return found_by(call)


def found_by(call: "Call") -> Drawn | None:
    words = call.rest
    first = next((at for at, word in enumerate(words) if word.text.startswith(("-", "(", "!"))), len(words))
    starts = words[:first]
    directories = [place for place in call.walker.variables.directories if place is not None]
    if not directories or not all(word.literal for word in words):
        return None
    at = [place for place, word in enumerate(words) if word.text == "-name" and place + 1 < len(words)]
    plain = len(at) == 1 and not any(word.text in _ACTIONLESS_JOINS for word in words)
    pattern = words[at[0] + 1].text if plain else ""
    names = FileNames(only=(pattern,)) if is_plain(pattern) else EVERY_NAME
    folders = [word.text for word in starts] or ["."]
    return tuple((posixpath.join(place, folder), names) for place in directories for folder in folders)
