"""Newline-delimited JSON from bytes: linear in the input, bounded in memory, forgiving.

Knows nothing of MCP: it yields JSON values, and says what it could not read.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from pydantic_core import from_json

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes in one line, unless the settings say otherwise."""

_EDGE = 4096
_ID = re.compile(rb'"id"\s*:\s*(\d{1,18}|"[^"\\]{1,200}")')
_SURROGATE = re.compile("[\ud800-\udfff]")
_MESSAGE = re.compile(r'\{\s*"(?:jsonrpc|id|method|params|result|error)"\s*:')
_TRIES = 16
"""Places of a line at which a message is looked for behind words that end in no newline."""


@dataclass(frozen=True)
class Unreadable:
    """A line that is no message. `ids` are the request ids it may have answered."""

    why: str
    start: str
    ids: tuple[int | str, ...] = ()


class Lines:
    """Cuts a stream of chunks into lines. A line over `longest` bytes is dropped, all but its edges."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[bytes | Unreadable]:
        """The lines that `chunk` completes."""
        *ended, rest = chunk.split(b"\n")
        for end in ended:
            self._take(end)
            yield self._finish()
        self._take(rest)

    def end(self) -> Iterator[bytes | Unreadable]:
        """What is left when the stream ends without a newline."""
        if self._size:
            yield self._finish()

    def _take(self, part: bytes) -> None:
        if not part:
            return
        self._size += len(part)
        if self._size <= self._longest:
            self._parts.append(part)
            return
        kept = b"".join(self._parts)
        self._parts = [(kept[:_EDGE] + part[:_EDGE])[:_EDGE], (kept[_EDGE:] + part)[-_EDGE:]]

    def _finish(self) -> bytes | Unreadable:
        line, size = b"".join(self._parts), self._size
        self._parts, self._size = [], 0
        if size <= self._longest:
            return line
        start = line[:200].decode("utf-8", "replace")
        return Unreadable(f"a line of {size} bytes is over the limit of {self._longest}", start, ids_in(line))


def parse(line: bytes) -> Any | Unreadable | None:
    """The JSON value of a line; None for a blank one. Bytes that are no UTF-8 and lone surrogates become U+FFFD.

    Banners and progress bars do not always end their line: a message that ends a line is read whatever stands before.
    """
    line = line.strip()
    if not line:
        return None
    try:
        return from_json(line, allow_inf_nan=True)
    except ValueError:
        pass
    text = line.decode("utf-8", "replace")
    try:
        return _without_surrogates(json.loads(text, strict=False))
    except (ValueError, RecursionError) as error:
        found = _message_at_the_end(text) if "jsonrpc" in text else None
        return found or Unreadable(f"no JSON: {error}", text[:200], ids_in(line))


def _message_at_the_end(text: str) -> Any | None:
    """The JSON-RPC message that ends a text. Within the text of another message it would be escaped and not match."""
    decoder = json.JSONDecoder(strict=False)
    for tried, place in enumerate(_MESSAGE.finditer(text)):
        if tried == _TRIES:
            break
        try:
            value, end = decoder.raw_decode(text, place.start())
        except (ValueError, RecursionError):
            continue
        if end == len(text) and isinstance(value, dict) and "jsonrpc" in value:
            return _without_surrogates(value)
    return None


def ids_in(line: bytes) -> tuple[int | str, ...]:
    """Ids that appear near either end of a line: one of them is that of the message, if it is a message at all."""
    edges = line if len(line) <= 2 * _EDGE else line[:_EDGE] + b" " + line[-_EDGE:]
    if b"jsonrpc" not in edges:
        return ()
    return tuple(int(found) if found.isdigit() else found[1:-1].decode() for found in _ID.findall(edges))


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {_without_surrogates(key): _without_surrogates(item) for key, item in members.items()}
    return value
