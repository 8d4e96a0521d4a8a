"""The files that a shell's wildcards stand for, looked up as the shell will look them up."""

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase

MOST_MATCHES = 1_000
MOST_LOOKED_AT = 20_000
"""Entries of folders: a tenth of a second."""


class _TooManyError(Exception):
    pass


def matching_paths(pattern: str, base: str) -> tuple[str, ...] | None:
    """The paths that `pattern` (of `*` and `?`, from `base` where it is relative) stands for; the pattern itself where
    nothing matches, as bash leaves it. None where that cannot be told: too many, or other wildcards.

    A quoted star counts as a wildcard, too, so that there may be more paths than bash finds, never fewer.
    """
    if "[" in pattern:
        return None
    looked = [0]
    found: list[str] = []
    try:
        for path in _matches("/" if pattern.startswith("/") else "", pattern.split("/"), base, looked):
            found.append(path)
            if len(found) > MOST_MATCHES:
                return None
    except _TooManyError:
        return None
    return tuple(found) or (pattern,)


def _matches(before: str, parts: list[str], base: str, looked: list[int]) -> Iterator[str]:
    at = next((at for at, part in enumerate(parts) if "*" in part or "?" in part), None)
    if at is None:
        path = before + "/".join(parts)
        if os.path.lexists(os.path.join(base, path)):  # noqa: PTH118
            yield path
        return
    folder = before + "".join(f"{part}/" for part in parts[:at] if part)
    for name in _names(os.path.join(base, folder), parts[at], looked):  # noqa: PTH118
        rest = parts[at + 1 :]
        yield from _matches(f"{folder}{name}/", rest, base, looked) if rest else (f"{folder}{name}",)


def _names(folder: str, part: str, looked: list[int]) -> Iterator[str]:
    """Hidden names only where the pattern begins with a dot; then also `.` and `..`, as older shells do."""
    names = [".", ".."] if part.startswith(".") else []
    try:
        with os.scandir(folder or ".") as entries:
            for entry in entries:
                looked[0] += 1
                if looked[0] > MOST_LOOKED_AT:
                    raise _TooManyError
                if part.startswith(".") or not entry.name.startswith("."):
                    names.append(entry.name)
    except OSError:
        return
    yield from (name for name in names if fnmatchcase(name, part))
