"""Takes out of a text what a terminal would obey and a reader would not see."""

import re

SLICE = 256 * 1024
"""Characters cleaned at a time: between slices other threads get their turn."""

_UNSEEN = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f\ud800-\udfff"
_SUSPICIOUS = re.compile(f"[{_UNSEEN}\r]")
_ESCAPES = re.compile(
    "\x1b\\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\\\)"  # operating system commands: titles, links
    "|\x1b[PX^_][^\x1b]{0,4096}\x1b\\\\"  # device control strings
    "|[\x1b]\\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x9b[0-?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor movements
    "|\x1b[ -/]{0,8}[0-~]"
)
_CONTROL = re.compile(f"[{_UNSEEN}]")


def clean(text: str) -> str:
    """Without escape sequences, control characters (but tab and newline), direction overrides and tag characters.

    The last two hide text from people that models still read.
    """
    if not any(_SUSPICIOUS.search(text, start, start + SLICE) for start in range(0, len(text), SLICE)):
        return text
    return "".join(_clean(part) for part in _slices(text))


def cut(text: str, longest: int) -> str:
    """At most `longest` bytes of UTF-8, with a mark where something is missing."""
    data = text.encode("utf-8", "replace")
    if len(data) <= longest:
        return text
    return data[:longest].decode("utf-8", "ignore").rstrip() + " […]"


def _clean(part: str) -> str:
    part = _ESCAPES.sub("", part).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", part)


def _slices(text: str) -> list[str]:
    """Cut at line ends where there are any near, so that no escape sequence is cut in two."""
    parts: list[str] = []
    start = 0
    while start < len(text):
        end = min(start + SLICE, len(text))
        newline = text.rfind("\n", max(start, end - 8192), end)
        if end < len(text) and newline > start:
            end = newline + 1
        parts.append(text[start:end])
        start = end
    return parts
