"""Streamed Markdown in pieces: what is whole goes into the scrollback, what still grows stays in the live area."""

import re

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s")


class MarkdownStream:
    """Feed it deltas; it returns blocks that no later text can change any more.

    A block ends at an empty line outside a code fence, unless what follows belongs to the same list.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._scanned = 0
        self._fence: str | None = None

    @property
    def rest(self) -> str:
        """What is not certain yet."""
        return self._rest

    def feed(self, text: str) -> str:
        """Takes more text; returns the part that is now whole, "" when there is none."""
        self._rest += text
        end = 0
        position = self._scanned
        while (line_end := self._rest.find("\n", position)) >= 0:
            line = self._rest[position:line_end]
            if self._toggle(line) is None and not line.strip() and self._ends_block(end, line_end + 1):
                end = line_end + 1
            elif self._fence is None and not line.strip() and self._undecided(line_end + 1):
                break  # look at this line again when more has come
            position = line_end + 1
        whole, self._rest = self._rest[:end], self._rest[end:]
        self._scanned = position - end
        return whole

    def finish(self) -> str:
        """The rest, whole or not; the next text begins anew."""
        rest, self._rest, self._scanned, self._fence = self._rest, "", 0, None
        return rest

    def _toggle(self, line: str) -> str | None:
        """Follows code fences; the fence that is open after `line`."""
        found = _FENCE.match(line)
        if self._fence is None:
            self._fence = found.group(1) if found else None
        elif found and found.group(1).startswith(self._fence) and not line.strip().strip(self._fence[0]):
            self._fence = None
            return ""  # the closing line itself ends nothing
        return self._fence

    def _ends_block(self, start: int, following: int) -> bool:
        block, after = self._rest[start:following], self._rest[following:]
        if not block.strip() or not after.strip():
            return False
        first = block.lstrip("\n").split("\n", 1)[0]
        next_line = after.lstrip("\n").split("\n", 1)[0]
        if not _LIST_ITEM.match(first):
            return True
        return not (next_line[:1].isspace() or _LIST_ITEM.match(next_line) or _may_become_item(next_line))

    def _undecided(self, following: int) -> bool:
        return not self._rest[following:].strip()


def _may_become_item(line: str) -> bool:
    """A line that has only begun: "1" may still become "1. "."""
    return re.fullmatch(r"[-*+]|\d{1,9}[.)]?", line) is not None
