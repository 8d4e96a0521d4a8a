"""A search text taken apart: what is looked for, and what may stand for it."""

import re
from dataclasses import dataclass

from mewcode.tools.search.stemming import stem
from mewcode.tools.search.vocabulary import gloss_run, synonyms
from mewcode.tools.search.words import STOP_WORDS, chunks, is_cjk, pairs

SYNONYM_WEIGHT = 0.5
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
    """One thing that the query asks for: stems that satisfy it, each with its weight (1 for the word itself)."""

    stems: dict[str, float]


def sought_in(query: str) -> list[Sought]:
    """What a query asks for, each word once, in order."""
    found: dict[str, Sought] = {}
    for chunk in chunks(_ADDRESS.sub(_address_words, query)):
        if is_cjk(chunk):
            for word, sought in _chinese(chunk):
                found.setdefault(word, sought)
        elif chunk not in STOP_WORDS:
            found.setdefault(stem(chunk), Sought(_with_synonyms({stem(chunk): 1.0})))
    return list(found.values())[:TERM_LIMIT]


def parts_of(query: str) -> list[str]:
    """The parts of a query that asks for several things ("whois lookup + sitemap"); none when it asks for one."""
    parts = [part for part in _JOINT.split(query) if part.strip()]
    return parts if 1 < len(parts) <= PART_LIMIT else []


def _address_words(match: "re.Match[str]") -> str:
    """An address stands for its kind: its own words name one page or file, not what a tool does."""
    text = match.group()
    ending = text.rstrip("/").rpartition(".")[2].lower()
    kind = _ENDINGS.get(ending, ending if 2 <= len(ending) <= 5 and ending.isalnum() else "")
    if text.startswith("http"):
        return " url webpage "
    return f" {kind} " if kind else " path "


def _with_synonyms(stems: dict[str, float]) -> dict[str, float]:
    table = synonyms()
    expanded = dict(stems)
    for word, weight in stems.items():
        for other in table.get(word, ()):
            expanded[other] = max(expanded.get(other, 0.0), weight * SYNONYM_WEIGHT)
    return expanded


def _chinese(run: str) -> list[tuple[str, Sought]]:
    """Known words by their meanings or their own characters; unknown stretches by pairs of characters."""
    found: list[tuple[str, Sought]] = []
    rest = run
    for word, meanings in gloss_run(run):
        before, _, rest = rest.partition(word)
        found.extend(_pairs(before))
        stems = dict.fromkeys(pairs(word), 1.0)
        stems.update(dict.fromkeys(meanings, 1.0))
        found.append((word, Sought(_with_synonyms(stems))))
    found.extend(_pairs(rest))
    return found


def _pairs(run: str) -> list[tuple[str, Sought]]:
    return [(pair, Sought({pair: 1.0})) for pair in pairs(run)] if run else []
