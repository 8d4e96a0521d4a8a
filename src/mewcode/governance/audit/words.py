"""The words of a record, as text search compares them."""

from collections.abc import Mapping
from typing import Any

from mewcode.tools.search.words import chunks, is_cjk, pairs

COLUMNS = ("principal", "session", "server", "tool", "name", "call_id", "effect", "rule", "outcome", "body")
WORD_LIMIT = 400
"""Words of one record that are indexed."""


def words_of(row: Mapping[str, Any]) -> list[str]:
    """Lower-case words in order, identifiers and paths taken apart, Chinese in pairs of characters."""
    return _words(_text(row))[:WORD_LIMIT]


def phrases_of(text: str) -> list[list[str]]:
    """What a person looks for: each word between blanks is a run of words that must follow one another."""
    return [words for part in text.split() if (words := _words(part))]


def holds(row: Mapping[str, Any], phrases: list[list[str]]) -> bool:
    """Whether all phrases occur; the last word of each may be the beginning of one."""
    text = _text(row).lower()
    if not all(word in text for phrase in phrases for word in phrase if word.isascii()):
        return False  # taking the text apart costs a hundred times as much
    words = words_of(row)
    return all(any(_starts(words, place, phrase) for place in range(len(words))) for phrase in phrases)


def _text(row: Mapping[str, Any]) -> str:
    return " ".join(str(row[column]) for column in COLUMNS if row.get(column) is not None)


def _words(text: str) -> list[str]:
    found: list[str] = []
    for chunk in chunks(text):
        found.extend(pairs(chunk) if is_cjk(chunk) else [chunk])
    return found


def _starts(words: list[str], place: int, phrase: list[str]) -> bool:
    last = place + len(phrase) - 1
    return len(words) > last and words[place:last] == phrase[:-1] and words[last].startswith(phrase[-1])
