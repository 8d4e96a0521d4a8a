"""A tool as the index sees it: where its words are and how much each place counts."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from mewcode.calls import Json
from mewcode.tools.base import Tool
from mewcode.tools.search.vocabulary import gloss_run
from mewcode.tools.search.words import chunks, is_cjk, terms_of

_SENTENCE = re.compile(r"(?<=[.!?])\s|\n|(?<=[。！？])")
_DESCRIPTION_LIMIT = 4_000
"""Characters of a description that are indexed; what comes later is examples."""
_PARAMETER_LIMIT = 40


@dataclass(frozen=True)
class SearchEntry:
    """`key` identifies the tool to the caller (the name that the model calls); `name` is its original name."""

    key: str
    server: str
    name: str
    description: str
    parameters: Mapping[str, Json]

    @classmethod
    def of(cls, tool: Tool) -> "SearchEntry":
        return cls(tool.name, tool.server or "", tool.original_name, tool.description, tool.parameters)


@dataclass(frozen=True)
class Field:
    """`weight` is what a word there counts for; `usual` is the usual number of words, to which a longer one is held.

    Weights from the benchmark of the tool search (docs/tool-search.md); lengths are averages over 2,800 public tools.
    """

    weight: float
    usual: float


K1 = 1.2
B = 0.4

NAME = Field(3.0, 3.0)
FIRST_SENTENCE = Field(2.0, 9.0)
SERVER = Field(2.0, 2.0)
REST = Field(0.25, 40.0)
PARAMETERS = Field(1.0, 6.0)
PARAMETER_TEXT = Field(0.25, 40.0)


def fields_of(entry: SearchEntry) -> Iterator[tuple[Field, tuple[str, ...]]]:
    """The fields of a tool with their terms."""
    first, rest = _sentences(entry.description[:_DESCRIPTION_LIMIT])
    names, texts = _parameters(entry.parameters)
    yield NAME, terms_of(entry.name)
    yield SERVER, terms_of(entry.server)
    yield FIRST_SENTENCE, _with_glosses(first)
    yield REST, _with_glosses(rest)
    yield PARAMETERS, terms_of(names)
    yield PARAMETER_TEXT, _with_glosses(texts)


def impacts_of(entry: SearchEntry) -> dict[str, float]:
    """Term to its saturated weight in the tool: BM25 with fields (Robertson and Zaragoza, 2009), without the idf."""
    weights: dict[str, float] = {}
    for field, terms in fields_of(entry):
        share = field.weight / (1 - B + B * len(terms) / field.usual)
        for term in terms:
            weights[term] = weights.get(term, 0.0) + share
    return {term: weight * (K1 + 1) / (weight + K1) for term, weight in weights.items()}


def _sentences(description: str) -> tuple[str, str]:
    description = description.strip()
    parts = _SENTENCE.split(description, maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def _with_glosses(text: str) -> tuple[str, ...]:
    terms = terms_of(text)
    if text.isascii():
        return terms
    meanings = [word for chunk in chunks(text) if is_cjk(chunk) for _, words in gloss_run(chunk) for word in words]
    return (*terms, *meanings)


def _parameters(schema: Mapping[str, Json]) -> tuple[str, str]:
    """Names and descriptions of the top-level parameters."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return "", ""
    known = list(cast("Mapping[str, Json]", properties).items())[:_PARAMETER_LIMIT]
    texts = [
        str(cast("Mapping[str, Json]", value).get("description", ""))
        for _, value in known
        if isinstance(value, Mapping)
    ]
    return " ".join(str(name) for name, _ in known), " ".join(texts)[:_DESCRIPTION_LIMIT]
