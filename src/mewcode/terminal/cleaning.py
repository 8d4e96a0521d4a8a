"""The last word on what reaches the terminal: letters, line ends and colours of our own, nothing else.

Whatever comes from a model, a server, a file or a command was cleaned before (`mewcode.agent.render.clean`); this is
behind all of it, and loads nothing, so that the first line of a session can pass it too.
"""

import re

_COLOURS = re.compile(r"(\x1b\[[0-9;]*m)")
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])?")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_HIDDEN = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Characters that turn the direction of text around, or carry text that nobody sees."""


def bare(text: str) -> str:
    """`text` without any escape sequence or control character but tab and line feed; hidden ones become visible."""
    text = _CONTROL.sub("", _SEQUENCE.sub("", text))
    return _HIDDEN.sub(lambda found: f"<U+{ord(found.group()):04X}>", text)


def coloured(text: str) -> str:
    """The same, with colours left in."""
    pieces = _COLOURS.split(text)
    return "".join(piece if index % 2 else bare(piece) for index, piece in enumerate(pieces))


def bare_line(text: str) -> str:
    """`bare`, in one line."""
    return " ".join(bare(text).split())
