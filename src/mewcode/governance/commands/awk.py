"""Reads an awk program just far enough to tell its code from its strings, regular expressions and comments."""

_REGEX_MAY_FOLLOW = frozenset("~(!,;{}&|\n")


def awk_skeleton(program: str) -> str:
    """The program with empty strings and regular expressions, and without comments.

    A slash where only an operand can stand begins a regular expression; anywhere else it divides and stays.
    """
    kept: list[str] = []
    last = "\n"
    at = 0
    while at < len(program):
        letter = program[at]
        if letter == "#":
            at = _find(program, "\n", at)
        elif letter == '"' or (letter == "/" and last in _REGEX_MAY_FOLLOW):
            at = _close(program, letter, at + 1)
            kept.append(letter * 2 if letter == '"' else " ")
            last = "x"
        else:
            kept.append(letter)
            last = last if letter in " \t" else letter
            at += 1
    return "".join(kept)


def _find(program: str, letter: str, at: int) -> int:
    found = program.find(letter, at)
    return len(program) if found < 0 else found


def _close(program: str, delimiter: str, at: int) -> int:
    """Where the string or expression that begins at `at` is over; a line end ends it too."""
    while at < len(program) and program[at] not in (delimiter, "\n"):
        at += 2 if program[at] == "\\" else 1
    return min(at + 1, len(program))
