"""A whole text file in memory, with what is needed to write it back the way it was."""

import codecs
import os
from dataclasses import dataclass

from mewcode.errors import WorkspaceError
from mewcode.workspace.encodings import SAMPLE_BYTES, UTF_8, Encoding, detect
from mewcode.workspace.opening import OpenFile

_STRICT_UTF_8 = "surrogateescape"
"""Keeps bytes that are not UTF-8 as they are, through an edit of the rest."""


@dataclass(frozen=True)
class TextFile:
    text: str
    encoding: Encoding
    data: bytes
    status: os.stat_result


def read_whole(file: OpenFile, shown: str, limit: int) -> bytes:
    """All bytes of a file of at most `limit` bytes. Raises WorkspaceError for a larger one."""
    os.lseek(file.descriptor, 0, os.SEEK_SET)
    pieces: list[bytes] = []
    total = 0
    while chunk := os.read(file.descriptor, 1 << 20):
        pieces.append(chunk)
        total += len(chunk)
        if total > limit:
            raise WorkspaceError("workspace.too_large", path=shown, size=max(total, file.size), limit=limit)
    return b"".join(pieces)


def read_text_file(file: OpenFile, shown: str, limit: int) -> TextFile:
    """Raises WorkspaceError for a binary file, a too large one, or one that would not survive being written back."""
    data = read_whole(file, shown, limit)
    encoding = detect(data[:SAMPLE_BYTES], whole=len(data) <= SAMPLE_BYTES)
    if encoding is None:
        raise WorkspaceError("workspace.binary", path=shown, size=len(data), kind="")
    text = _decode(data, encoding)
    if text is None or encode(text, encoding) != data:
        reason = f"it does not decode and encode as {encoding.name} without loss"
        raise WorkspaceError("workspace.failed", path=shown, reason=reason)
    return TextFile(text, encoding, data, file.status)


def encode(text: str, encoding: Encoding) -> bytes:
    """Raises UnicodeEncodeError when `text` has characters that the encoding lacks."""
    return encoding.mark + codecs.encode(text, encoding.name, _handler(encoding))


def encode_new(text: str) -> bytes:
    """A new file is UTF-8. Raises UnicodeEncodeError for lone surrogates."""
    return codecs.encode(text, UTF_8.name)


def _decode(data: bytes, encoding: Encoding) -> str | None:
    try:
        return codecs.decode(data[len(encoding.mark) :], encoding.name, _handler(encoding))
    except UnicodeDecodeError:
        return None


def _handler(encoding: Encoding) -> str:
    return _STRICT_UTF_8 if encoding.name == "utf-8" else "strict"
