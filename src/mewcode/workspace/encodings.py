"""Which encoding a file is in, from a bounded look at it."""

import codecs
from dataclasses import dataclass

SAMPLE_BYTES = 65_536
"""Enough for charset-normalizer to decide, little enough to read from any file at once."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""UTF-32's little-endian mark begins with UTF-16's, so it is looked for first."""

_TEXT_CONTROLS = frozenset(b"\t\n\r\f\b\x1b\x1a")
_MOST_CONTROLS = 0.02
"""More control characters than one in fifty are no text."""


@dataclass(frozen=True)
class Encoding:
    """`name` as Python's codecs know it; `mark` is the byte order mark that the file begins with."""

    name: str
    mark: bytes = b""

    @property
    def byte_newlines(self) -> bool:
        """Whether lines can be counted in bytes: a b"\\n" is a line's end and nothing else."""
        return not self.name.startswith(("utf-16", "utf-32"))


UTF_8 = Encoding("utf-8")


def detect(sample: bytes, *, whole: bool) -> Encoding | None:
    """The encoding of a file that begins with `sample` (all of it when `whole`); None for a binary file."""
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return Encoding(name, mark)
    if b"\0" in sample:
        return _without_mark(sample)
    if _decodes(sample, "utf-8", whole=whole):
        return None if _is_mostly_control(sample) else UTF_8
    return None if _is_mostly_control(sample) else _guess(sample)


def _decodes(sample: bytes, name: str, *, whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder(name)("strict").decode(sample, final=whole)
    except UnicodeDecodeError:
        return False
    return True


def _without_mark(sample: bytes) -> Encoding | None:
    """UTF-16 without a mark has its NULs in every second byte, as long as most of it is Latin text."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = max(1, len(sample) // 2)
    for name, nulls, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if nulls / half > 0.4 and others / half < 0.05 and _decodes(sample[: len(sample) & ~1], name, whole=False):
            return Encoding(name)
    return None


def _is_mostly_control(sample: bytes) -> bool:
    controls = sum(1 for byte in sample if byte < 32 and byte not in _TEXT_CONTROLS)
    return controls > len(sample) * _MOST_CONTROLS


def _guess(sample: bytes) -> Encoding | None:
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    if best is not None:
        return Encoding(best.encoding)
    return Encoding("cp1252") if _decodes(sample, "cp1252", whole=True) else Encoding("latin-1")
