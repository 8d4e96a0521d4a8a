"""A search text taken apart: what is looked for, and what may stand for it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mewcode.tools.search.stemming import stem
from mewcode.tools.search.vocabulary import gloss_run, synonyms, weak_words
from mewcode.tools.search.words import STOP_WORDS, chunks, is_cjk, pairs

SYNONYM_WEIGHT = 0.5
WEAK_WEIGHT = 1.0
TERM_LIMIT = 40
"""Things looked for in one query; a longer text is a whole request, and its beginning says what it is about."""
PART_LIMIT = 6

_JOINT = re.compile(r"\s\+\s|[,;，；、]|\s(?:or|and|then)\s", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+|(?:~|\.{1,2})?(?:/[\w.\-]+){2,}/?", re.ASCII)
_ENDINGS = {
    "md": "markdown",
    "xlsx": "excel",
    "xls": "excel",
    "docx": "word",
    "doc": "word",
    "pptx": "powerpoint",
    "py": "python",
    "yml": "yaml",
    "txt": "text",
    "png": "image",
    "jpg": "image",
    "jpeg": "image",
    "htm": "html",
    "mp4": "video",
    "mp3": "audio",
}


@dataclass(frozen=True)
class Sought:
    """One thing that the query asks for: the word, and stems that satisfy it, each with its weight."""

    word: str
    stems: dict[str, float]


@dataclass(frozen=True)
class Query:
    """What is sought, each thing once, in order. `parts` name by place what belongs together where a query asks for
    several things ("whois lookup + sitemap"); there are none when it asks for one.
    """

    sought: tuple[Sought, ...]
    parts: tuple[tuple[int, ...], ...]


def understand(text: str) -> Query:
    """Takes a search text apart."""
    found: dict[str, Sought] = {}
    places: dict[str, int] = {}
    parts: list[tuple[int, ...]] = []
    for part in _JOINT.split(_ADDRESS.sub(_address_words, text)):
        words: list[str] = []
        for one in _sought_in(part):
            words.append(one.word)
            if one.word not in found and len(found) < TERM_LIMIT:
                places[one.word] = len(found)
                found[one.word] = one
        part_places = tuple(dict.fromkeys(places[word] for word in words if word in places))
        if part_places:
            parts.append(part_places)
    several = 1 < len(parts) <= PART_LIMIT
    return Query(tuple(found.values()), tuple(parts) if several else ())


def _sought_in(text: str) -> Iterator[Sought]:
    for chunk in chunks(text):
        if is_cjk(chunk):
            yield from _chinese(chunk)
        elif chunk not in STOP_WORDS:
            word = stem(chunk)
            yield Sought(word, _with_synonyms({word: WEAK_WEIGHT if word in weak_words() else 1.0}))


def _address_words(match: "re.Match[str]") -> str:
    """An address stands for its kind: its own words name one page or file, not what a tool does."""
    text = match.group()
    if text.startswith("http"):
        return " url webpage "
    ending = text.rstrip("/").rpartition(".")[2].lower()
    kind = _ENDINGS.get(ending, ending if 2 <= len(ending) <= 5 and ending.isalnum() else "")
    return f" {kind} file " if kind else " path "


def _with_synonyms(stems: dict[str, float]) -> dict[str, float]:
    table = synonyms()
    expanded = dict(stems)
    for word, weight in stems.items():
        for other in table.get(word, ()):
            expanded[other] = max(expanded.get(other, 0.0), weight * SYNONYM_WEIGHT)
    return expanded


def _chinese(run: str) -> Iterator[Sought]:
    """Known words by their meanings or their own characters; unknown stretches by pairs of characters."""
    rest = run
    for word, meanings in gloss_run(run):
        before, _, rest = rest.partition(word)
        yield from _pairs(before)
        weak = weak_words()
        stems = dict.fromkeys(pairs(word), 1.0)
        stems.update({meaning: WEAK_WEIGHT if meaning in weak else 1.0 for meaning in meanings})
        yield Sought(word, _with_synonyms(stems))
    yield from _pairs(rest)


def _pairs(run: str) -> Iterator[Sought]:
    if run:
        yield from (Sought(pair, {pair: 1.0}) for pair in pairs(run))
