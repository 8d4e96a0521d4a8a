"""Splits text into the words that search compares: identifiers apart, English stemmed, Chinese in pairs."""

import re
from functools import lru_cache

from mewcode.tools.search.stemming import stem

_CHUNK = re.compile(r"[A-Za-z]+|[0-9]+|[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+|[^\W\d_]+")
_CAMEL = re.compile(r"[A-Z]+s?(?![a-z])|[A-Z][a-z]+|[a-z]+")
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]")

_STOP_WORDS = """
a an and are as at be by can could do does for from has have how i if in into is it its me my of on or our please s
should so some such t that the their them then there these they this those to us via want was we what when where which
who will with would you your need using use used let help based given e g etc also any all
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


def chunks(text: str) -> list[str]:
    """Lower-case words, numbers and runs of Chinese, Japanese or Korean, identifiers split at their joints."""
    found: list[str] = []
    for chunk in _CHUNK.findall(text):
        if chunk.isascii() and chunk.isalpha() and not chunk.islower() and not chunk.isupper():
            found.extend(part.lower() for part in _CAMEL.findall(chunk))
        else:
            found.append(chunk.lower())
    return found


def is_cjk(chunk: str) -> bool:
    return _CJK.match(chunk) is not None


def pairs(run: str) -> list[str]:
    """A run of characters written without spaces as overlapping pairs; a single character stays one."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=50_000)
def terms_of(text: str) -> tuple[str, ...]:
    """The terms of a text, in order, with repeats and without stop words."""
    terms: list[str] = []
    for chunk in chunks(text):
        if is_cjk(chunk):
            terms.extend(pairs(chunk))
        elif chunk not in STOP_WORDS:
            terms.append(stem(chunk))
    return tuple(terms)
