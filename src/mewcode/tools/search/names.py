"""Finds tools by their names, exact or nearly so: with other joints, other case, the server before it, or one slip."""

from collections.abc import Iterable

from mewcode.tools.search.entry import SearchEntry
from mewcode.tools.search.words import chunks

_LEAST_FOR_SLIPS = 6
"""Characters that a name must have for a slip to be forgiven: short names are all close to each other."""
_MOST_WORDS = 8
"""A query of more words is a sentence, not a name."""


_RANKS = range(4)


class NameTable:
    """Names as they are compared: the letters and digits in lower case, without joints."""

    def __init__(self) -> None:
        self._forms: dict[str, dict[str, int]] = {}
        self._by_start: dict[tuple[str, int], set[str]] = {}

    def put(self, entry: SearchEntry) -> None:
        for form, rank in _forms_of(entry).items():
            self._forms.setdefault(form, {})[entry.key] = rank
            self._by_start.setdefault((form[0], len(form)), set()).add(form)

    def remove(self, entry: SearchEntry) -> None:
        for form in _forms_of(entry):
            keys = self._forms.get(form, {})
            keys.pop(entry.key, None)
            if not keys and self._forms.pop(form, None) is not None:
                self._by_start[form[0], len(form)].discard(form)

    def find(self, query: str) -> list[str]:
        """Keys of the tools that the query names, the most exact first."""
        words = chunks(query)
        if not words or len(words) > _MOST_WORDS:
            return []
        form = "".join(words)
        ranked: dict[str, int] = dict(self._forms.get(form, {}))
        for key, rank in self._forms.get(_without_zeros(words), {}).items():
            ranked.setdefault(key, rank + len(_RANKS))
        if not ranked and len(form) >= _LEAST_FOR_SLIPS:
            for near in self._near(form):
                for key, rank in self._forms[near].items():
                    ranked[key] = min(rank, ranked.get(key, rank))
        return sorted(ranked, key=lambda key: ranked[key])

    def _near(self, form: str) -> Iterable[str]:
        """Names one slip away: a character more, less or different, or two exchanged; first and digits right."""
        digits = [character for character in form if character.isdigit()]
        for length in range(len(form) - 1, len(form) + 2):
            for other in self._by_start.get((form[0], length), ()):
                if one_slip(form, other) and digits == [character for character in other if character.isdigit()]:
                    yield other


def _forms_of(entry: SearchEntry) -> dict[str, int]:
    """The ways to name a tool, each with its rank: the name that the model calls, its own name, server and name."""
    named = [entry.key, entry.name, f"{entry.server} {entry.name}", f"{entry.name} {entry.server}"]
    forms: dict[str, int] = {}
    for rank, text in zip(_RANKS, named, strict=True):
        words = chunks(text)
        for form in ("".join(words), _without_zeros(words)):
            if form:
                forms.setdefault(form, rank)
    return forms


def _without_zeros(words: list[str]) -> str:
    """`tool 7` is near enough to `tool_007`."""
    return "".join(word.lstrip("0") or "0" if word.isdigit() else word for word in words)


def one_slip(one: str, other: str) -> bool:
    """Optimal string alignment distance of one, in linear time."""
    shorter, longer = sorted((one, other), key=len)
    start = 0
    while start < len(shorter) and shorter[start] == longer[start]:
        start += 1
    if len(shorter) == len(longer):
        swapped = shorter[start : start + 2] == longer[start : start + 2][::-1]
        return shorter[start + 1 :] == longer[start + 1 :] or (swapped and shorter[start + 2 :] == longer[start + 2 :])
    return shorter[start:] == longer[start + 1 :]
