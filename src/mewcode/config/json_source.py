"""Reads JSON (as editors write it: with // comments and trailing commas) into a tree of nodes with their places."""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from json.decoder import JSONDecodeError
from typing import cast

from mewcode.config.node import Node, Scalar
from mewcode.config.place import Place
from mewcode.config.source_file import SourceText, UnreadableError

MAX_DEPTH = 50
_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")


def parse_json(source: SourceText) -> Node:
    """An empty file is an empty mapping. Raises UnreadableError with the place of the first thing that is wrong."""
    reader = _Reader(source)
    if reader.at_end():
        return Node({}, source.place(1, 1))
    node = reader.value(0)
    if not reader.at_end():
        raise reader.error("text after the end")
    if not isinstance(node.value, dict):
        raise UnreadableError("config.not_mapping", node.place, file=source.file)
    return node


@dataclass
class _Reader:
    source: SourceText
    position: int = 0
    line_starts: list[int] = field(default_factory=lambda: [0])

    def __post_init__(self) -> None:
        self.line_starts += [found.end() for found in re.finditer("\n", self.source.text)]

    def at_end(self) -> bool:
        return self._next() == ""

    def value(self, depth: int) -> Node:
        first, place = self._next(), self._place()
        if depth > MAX_DEPTH:
            raise UnreadableError("config.too_deep", place, file=self.source.file, limit=MAX_DEPTH)
        if first == "{":
            return Node(self._mapping(depth), place)
        if first == "[":
            return Node(self._list(depth), place)
        return Node(self._string() if first == '"' else self._literal(), place)

    def _mapping(self, depth: int) -> dict[str, Node]:
        entries: dict[str, Node] = {}
        self.position += 1
        while self._next() != "}":
            place = self._place()
            if self._next() != '"':
                raise self.error("a key in double quotes is missing")
            key = self._string()
            if key in entries:
                raise UnreadableError("config.duplicate_key", place, file=self.source.file, key=key)
            self._take(":")
            value = self.value(depth + 1)
            entries[key] = Node(value.value, value.place, place)
            if self._next() != "}":
                self._take(",")
        self.position += 1
        return entries

    def _list(self, depth: int) -> tuple[Node, ...]:
        items: list[Node] = []
        self.position += 1
        while self._next() != "]":
            items.append(self.value(depth + 1))
            if self._next() != "]":
                self._take(",")
        self.position += 1
        return tuple(items)

    def _string(self) -> str:
        matched = _STRING.match(self.source.text, self.position)
        try:
            text = cast("str", json.loads(matched.group())) if matched else None
        except JSONDecodeError:
            text = None
        if matched is None or text is None:
            raise self.error("a string that does not end, or a wrong escape")
        self.position = matched.end()
        return text

    def _literal(self) -> Scalar:
        matched = _LITERAL.match(self.source.text, self.position)
        if not matched or len(matched.group()) > 300:
            raise self.error("a value is missing")
        self.position = matched.end()
        return cast("Scalar", json.loads(matched.group()))

    def _next(self) -> str:
        matched = _BLANK.match(self.source.text, self.position)
        self.position = matched.end() if matched else self.position
        return self.source.text[self.position : self.position + 1]

    def _take(self, character: str) -> None:
        if self._next() != character:
            raise self.error(f"“{character}” is missing")
        self.position += 1

    def error(self, reason: str) -> UnreadableError:
        return UnreadableError("config.syntax", self._place(), file=self.source.file, reason=reason)

    def _place(self) -> Place:
        line = bisect_right(self.line_starts, self.position)
        return self.source.place(line, self.position - self.line_starts[line - 1] + 1)
