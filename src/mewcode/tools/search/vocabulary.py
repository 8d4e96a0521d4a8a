"""Words that mean the same: English synonyms, and English words for Chinese ones. Both are plain files in `data/`."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mewcode.tools.search.stemming import stem

_DATA = Path(__file__).parent / "data"


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """Stem to the stems that may stand for it."""
    found: dict[str, dict[str, None]] = {}
    for line in _lines("synonyms_en.txt"):
        group = [stem(word) for word in line.split()]
        for word in group:
            found.setdefault(word, {}).update(dict.fromkeys(other for other in group if other != word))
    return {word: tuple(others) for word, others in found.items()}


@cache
def glosses() -> dict[str, tuple[str, ...]]:
    """Chinese word to the stems of its English meanings."""
    found: dict[str, dict[str, None]] = {}
    for line in _lines("glosses_zh.txt"):
        english, _, chinese = line.partition("=")
        stems = dict.fromkeys(stem(word) for word in english.split())
        for word in chinese.split():
            found.setdefault(word.lower(), {}).update(stems)
    return {word: tuple(stems) for word, stems in found.items()}


@cache
def weak_words() -> frozenset[str]:
    """Stems that say little about which tool is meant."""
    return frozenset(stem(word) for line in _lines("weak_words_en.txt") for word in line.split())


def gloss_run(run: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The known words of a run of characters without spaces, the longest first at each place, with their meanings."""
    table, longest = glosses(), _longest_gloss()
    start = 0
    while start < len(run):
        for end in range(min(len(run), start + longest), start, -1):
            meanings = table.get(run[start:end])
            if meanings is not None:
                yield run[start:end], meanings
                start = end - 1
                break
        start += 1


@cache
def _longest_gloss() -> int:
    return max(map(len, glosses()))


def _lines(name: str) -> Iterator[str]:
    for line in (_DATA / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line
