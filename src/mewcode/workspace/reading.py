"""Reading a window of lines out of a text file of any size, in bounded memory."""

import codecs
import os
from collections.abc import Callable
from dataclasses import dataclass

from mewcode.workspace.encodings import SAMPLE_BYTES, UTF_8, Encoding, detect
from mewcode.workspace.lines import LineCutter
from mewcode.workspace.opening import OpenFile

_CHUNK = 1 << 18
_COUNT_AHEAD = 256 << 20
"""How many bytes beyond the window are read only to say how many lines are left."""


@dataclass(frozen=True)
class Window:
    """Which lines are wanted. `offset` counts lines from 1; `limit` None means to the end."""

    offset: int = 1
    limit: int | None = 200
    line_characters: int = 2_000
    characters: int = 2_000_000
    """Stops early here whatever `limit` says: a result has to be held in memory."""


@dataclass(frozen=True)
class Lines:
    """Lines without their ends; `cut` are the numbers of those that were longer than allowed.

    `left` is how many lines follow the window, None when the file is too long to count them.
    """

    lines: tuple[str, ...]
    first: int
    left: int | None
    cut: tuple[int, ...]
    encoding: Encoding
    bytes_left: int
    undecodable: bool


def read_sample(file: OpenFile) -> bytes:
    """The file's first bytes; leaves the descriptor at the start."""
    os.lseek(file.descriptor, 0, os.SEEK_SET)
    sample = os.read(file.descriptor, SAMPLE_BYTES)
    os.lseek(file.descriptor, 0, os.SEEK_SET)
    return sample


def read_lines(file: OpenFile, window: Window, check: Callable[[], None]) -> Lines | None:
    """The lines of `window`; None for a binary file. `check` is called now and then and may raise to give up."""
    sample = read_sample(file)
    encoding = detect(sample, whole=len(sample) < SAMPLE_BYTES)
    return None if encoding is None else _Reader(file, window, encoding, check).run()


def lines_of(text: str, window: Window) -> Lines:
    """The lines of `window` in a text that is in memory already."""
    cutter = LineCutter(window.offset - 1, window.limit, window.line_characters, window.characters)
    cutter.feed(text)
    if not cutter.full:
        cutter.finish()
    return Lines(
        lines=tuple(cutter.lines),
        first=window.offset,
        left=cutter.beyond + cutter.open_line_beyond,
        cut=tuple(window.offset + index for index in cutter.cut),
        encoding=UTF_8,
        bytes_left=0,
        undecodable=False,
    )


class _Reader:
    def __init__(self, file: OpenFile, window: Window, encoding: Encoding, check: Callable[[], None]) -> None:
        self.file = file
        self.window = window
        self.encoding = encoding
        self.check = check
        self.position = len(encoding.mark)
        self.skipped = 0
        self.decoder = codecs.getincrementaldecoder(encoding.name)("replace")

    def run(self) -> Lines:
        os.lseek(self.file.descriptor, self.position, os.SEEK_SET)
        tail = self._skip() if self.encoding.byte_newlines else b""
        window = self.window
        wanted_from = window.offset - 1 - self.skipped
        cutter = LineCutter(wanted_from, window.limit, window.line_characters, window.characters)
        while not cutter.full:
            chunk = tail or self._read()
            tail = b""
            text = self.decoder.decode(chunk, final=not chunk)
            cutter.feed(text)
            if not chunk:
                cutter.finish()
                break
        left = self._count_left(cutter)
        return Lines(
            lines=tuple(cutter.lines),
            first=window.offset,
            left=left,
            cut=tuple(window.offset + index for index in cutter.cut),
            encoding=self.encoding,
            bytes_left=max(0, self.file.size - self.position),
            undecodable=cutter.undecodable and self.encoding.name == "utf-8",
        )

    def _skip(self) -> bytes:
        """Passes over lines before the window without decoding them; returns what was read beyond."""
        to_skip = self.window.offset - 1
        while self.skipped < to_skip:
            chunk = self._read()
            if not chunk:
                return b""
            ends = chunk.count(b"\n")
            if self.skipped + ends < to_skip:
                self.skipped += ends
                continue
            at = -1
            while self.skipped < to_skip:
                at = chunk.index(b"\n", at + 1)
                self.skipped += 1
            return chunk[at + 1 :]
        return b""

    def _count_left(self, cutter: LineCutter) -> int | None:
        if not cutter.full:
            return 0
        left, in_line = cutter.beyond, cutter.open_line_beyond
        limit = self.position + _COUNT_AHEAD
        while chunk := self._read():
            text = chunk if self.encoding.byte_newlines else self.decoder.decode(chunk)
            newline = b"\n" if isinstance(text, bytes) else "\n"
            left += text.count(newline)  # pyright: ignore[reportArgumentType]
            in_line = not text.endswith(newline)  # pyright: ignore[reportArgumentType]
            if self.position > limit:
                return None
        return left + in_line

    def _read(self) -> bytes:
        self.check()
        chunk = os.read(self.file.descriptor, _CHUNK)
        self.position += len(chunk)
        return chunk
