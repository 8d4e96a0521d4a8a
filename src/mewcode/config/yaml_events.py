"""The YAML parser's events, and its errors as ours. libyaml parses a settings file in a millisecond."""

import re
from collections.abc import Iterator
from typing import Any

from mewcode.config.place import Place
from mewcode.config.source_file import SourceText, UnreadableError

MAX_MARKS = 50_000
"""Line breaks, commas, brackets and colons in the text: a hostile file must not cost more than a second, also where
only the parser in Python is installed."""
_QUOTED = re.compile(r"'[^']{3,}'|\"[^\"]{3,}\"")
_MARKS = re.compile(r"[\n,\[{]|: ")


def events_of(source: SourceText) -> Iterator[Any]:
    """Raises UnreadableError with the place of the first mistake, and without what stands there."""
    import yaml

    if len(_MARKS.findall(source.text)) > MAX_MARKS:
        raise UnreadableError("config.too_many_values", source.place(1, 1), file=source.file, limit=MAX_MARKS)
    try:
        parse: Any = yaml.parse  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]
        yield from parse(source.text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except yaml.MarkedYAMLError as error:
        place = _place_of(source, error)
        raise UnreadableError("config.syntax", place, file=source.file, reason=_reason(error)) from None
    except (yaml.YAMLError, UnicodeError) as error:
        # Only the reader's errors have no mark: they are about a character that YAML does not allow.
        place = _place_of_index(source, getattr(error, "position", 0))
        raise UnreadableError("config.bad_character", place, file=source.file) from None
    except RecursionError:
        raise UnreadableError("config.too_deep", source.place(1, 1), file=source.file, limit=1000) from None


def _place_of(source: SourceText, error: Any) -> Place:
    """Where the mistake begins: what is noticed only at the end of the file began where the parser opened it."""
    mark = error.problem_mark or error.context_mark
    if mark and error.context_mark and mark.index >= len(source.text.rstrip()):
        mark = error.context_mark
    lines = source.text.rstrip().split("\n")
    if mark and mark.line >= len(lines):
        return source.place(len(lines), len(lines[-1]) + 1)
    return source.place(mark.line + 1, mark.column + 1) if mark else source.place(1, 1)


def _place_of_index(source: SourceText, position: int) -> Place:
    """libyaml counts bytes, the parser in Python characters; up to the first odd character both are the same."""
    before = source.text.encode("utf-8", "replace")[:position].decode("utf-8", "replace")
    return source.place(before.count("\n") + 1, len(before) - before.rfind("\n"))


def _reason(error: Any) -> str:
    """The parser's words without what it quotes from the file: a value might be a secret."""
    words = _QUOTED.sub("…", str(error.problem or error.context or "invalid YAML"))
    return words.splitlines()[0]
