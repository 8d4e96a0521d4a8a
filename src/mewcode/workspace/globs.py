"""Globs as ripgrep and git write them, as regular expressions over paths."""

import re
from collections.abc import Callable
from functools import lru_cache

_MOST_ALTERNATIVES = 200


@lru_cache(maxsize=128)
def glob_expression(glob: str) -> str:
    """A regular expression that matches a whole path (relative, `/` between parts) just when the glob does.

    `*` and `?` stay within a part, `**` crosses them, `[a-z]`, `[!a]` and `{a,b}` are known. Without a slash the glob
    is for the last part, at any depth.
    """
    alternatives = [_one(part.removeprefix("./")) for part in _braces(glob)]
    return f"(?s:{'|'.join(alternatives)})"


def glob_matcher(glob: str | None) -> Callable[[str], bool]:
    """Says of a path whether the glob matches it, or does not when the glob begins with `!`. No glob matches all."""
    if not glob:
        return lambda path: True
    negated = glob.startswith("!")
    expression = re.compile(glob_expression(glob[negated:]))
    return lambda path: (expression.fullmatch(path) is None) == negated


def file_name_glob(glob: str) -> str | None:
    """The part of the glob that is for file names alone, if that says anything."""
    last = glob.rpartition("/")[2]
    if not last or "**" in last or last.count("{") != last.count("}") or last == "*":
        return None
    return last


def _one(glob: str) -> str:
    if "/" not in glob:
        return rf"(?:.*/)?{_translated(glob)}"
    return _translated(glob.removeprefix("/"))


def _translated(glob: str) -> str:
    pieces: list[str] = []
    at = 0
    while at < len(glob):
        found = _TOKEN.match(glob, at)
        assert found is not None
        pieces.append(_piece(found.group()))
        at = found.end()
    return "".join(pieces)


_TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\]|\\.|.", re.DOTALL)


def _piece(token: str) -> str:
    fixed = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if token in fixed:
        return fixed[token]
    if len(token) > 1 and token[0] == "[":
        negated = token[1] == "!"
        members = token[1 + negated : -1]
        escaped = re.sub(r"([\\\[\]^&~|])", r"\\\1", members)
        return f"[{'^' * negated}{escaped}]"
    return re.escape(token[1:] if len(token) == 2 and token[0] == "\\" else token)


def _braces(glob: str) -> list[str]:
    """`*.{ts,tsx}` as `*.ts` and `*.tsx`; braces within braces too."""
    results: list[str] = []
    waiting = [glob]
    while waiting:
        if len(waiting) + len(results) > _MOST_ALTERNATIVES:
            return [glob]
        text = waiting.pop(0)
        inner = re.search(r"\{([^{}]*)\}", text)
        if inner is None or "," not in inner.group(1):
            results.append(text)
            continue
        waiting += [text[: inner.start()] + choice + text[inner.end() :] for choice in inner.group(1).split(",")]
    return results
