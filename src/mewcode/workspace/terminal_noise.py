"""Takes out of a program's output what only a terminal wants: colours, cursor movements, progress bars."""

import codecs
import re

_ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # operating system commands: titles, links
    r"|\x1b[PX^_].*?\x1b\\"  # device control and other strings
    r"|[\x1b\x9b]\[?[0-?]*[ -/]*[@-~]"  # control sequences and short escapes
    r"|\x1b",
    re.DOTALL,
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x0d\x0e-\x1f\x7f]")
_BACKSPACED = re.compile(r"[^\x08]\x08")
_LONGEST_LINE = 65_536
"""A line that never ends is passed on in pieces of this many characters."""


class LineStream:
    """Bytes in, clean whole lines out. Holds no more than one line."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def feed(self, data: bytes) -> list[str]:
        return self._split(self._decoder.decode(data))

    def finish(self) -> list[str]:
        """The last line, when it had no end."""
        lines = self._split(self._decoder.decode(b"", final=True))
        last, self._rest = self._rest, ""
        return [*lines, clean_line(last)] if last else lines

    def _split(self, text: str) -> list[str]:
        lines = (self._rest + text).split("\n")
        self._rest = lines.pop()
        if len(self._rest) > _LONGEST_LINE:
            # What a carriage return will overwrite need not be kept.
            self._rest = self._rest[self._rest.rfind("\r", 0, len(self._rest) - 1) + 1 :]
        if len(self._rest) > _LONGEST_LINE:
            lines.append(self._rest)
            self._rest = ""
        return [clean_line(line) for line in lines]


def clean_line(line: str) -> str:
    """What a terminal would show at the end: the text after the last carriage return, without control characters."""
    line = _ESCAPES.sub("", line)
    parts = [part for part in line.split("\r") if part]
    shown = parts[-1] if parts else ""
    while "\b" in shown and (undone := _BACKSPACED.sub("", shown)) != shown:
        shown = undone
    return _CONTROLS.sub("", shown).rstrip()
