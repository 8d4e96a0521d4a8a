"""Reads `key=pattern` pairs: keys may be nested with dots, patterns may be quoted."""

import re

from mewcode.governance.rules.arguments import Pairs
from mewcode.governance.rules.wildcard import Wildcard

_KEY = r"[A-Za-z_][\w.\-]*"
_PAIR = re.compile(rf"\s*(?P<key>{_KEY})\s*=\s*")
_QUOTED = re.compile(r"""(?P<quote>["'])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)\s*(?=,|$)""", re.DOTALL)
_NEXT_PAIR = re.compile(rf",\s*(?={_KEY}\s*=)")


def parse_pairs(text: str) -> Pairs | None:
    """The pairs in `text`, or None where it is not a list of pairs: then it is a pattern on the main argument."""
    entries: list[tuple[str, Wildcard]] = []
    position = 0
    while position < len(text):
        key = _PAIR.match(text, position)
        if key is None:
            return None
        pattern, position = _pattern(text, key.end())
        entries.append((key["key"], pattern))
    return Pairs(text, tuple(entries)) if entries else None


def _pattern(text: str, start: int) -> tuple[Wildcard, int]:
    """The pattern that begins at `start`, and where the next pair begins."""
    quoted = _QUOTED.match(text, start)
    if quoted:
        plain = re.sub(r"\\([\"'])", r"\1", quoted["text"])
        return Wildcard(plain), quoted.end() + (1 if text[quoted.end() : quoted.end() + 1] == "," else 0)
    following = _NEXT_PAIR.search(text, start)
    if following:
        return Wildcard(text[start : following.start()].strip()), following.end()
    return Wildcard(text[start:].strip()), len(text)
