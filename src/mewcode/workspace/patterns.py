"""Gitignore-style patterns that say which files a caller may read or write."""

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import PathSpec
    from pathspec.pattern import Pattern

EVERYTHING = ("**",)


def matches(patterns: tuple[str, ...], relative: str) -> bool:
    """Whether a path (relative to its root, `/` between parts) is let in. The last pattern that matches decides;
    `!pattern` takes out again. No patterns let nothing in. Unicode forms (NFC, NFD) do not matter."""
    if patterns == EVERYTHING:
        return True
    return _compiled(patterns).match_file(unicodedata.normalize("NFC", relative))


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> "PathSpec[Pattern]":
    from pathspec import PathSpec

    # Not GitIgnoreSpec: in git a file under `!secret` that an earlier `**` names stays matched; here it must not.
    return PathSpec.from_lines("gitignore", [unicodedata.normalize("NFC", line) for line in patterns])
