"""Reads YAML into a tree of nodes: YAML 1.2 with anchors and merge keys, without tags, bombs and duplicate keys."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mewcode.config.node import Node, Scalar
from mewcode.config.place import Place
from mewcode.config.source_file import SourceText, UnreadableError
from mewcode.config.yaml_nodes import compose

MAX_NODES = 50_000
"""Values after aliases are written out: an alias bomb ends here."""
MAX_DEPTH = 50
MAX_MARKS = 10_000
"""Line breaks, commas, brackets and colons in the text. Reading costs 0.1 ms each, and a hostile file must not cost
more than a second (measured: 250 kB of nothing but brackets took 8.6 s)."""
_MARKS = re.compile(r"[\n,\[{]|: ")
_TAG = "tag:yaml.org,2002:"


def parse_yaml(source: SourceText) -> Node:
    """An empty file is an empty mapping. Raises UnreadableError with the place of the first thing that is wrong."""
    if len(_MARKS.findall(source.text)) > MAX_MARKS:
        raise UnreadableError("config.too_many_values", source.place(1, 1), file=source.file, limit=MAX_MARKS)
    root = _compose(source)
    if root is None:
        return Node({}, source.place(1, 1))
    node = _Reader(source).read(root)
    if not isinstance(node.value, dict):
        raise UnreadableError("config.not_mapping", node.place, file=source.file)
    return node


def _compose(source: SourceText) -> Any:
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return compose(source.text)
    except MarkedYAMLError as error:
        raise UnreadableError("config.syntax", _mark(source, error), file=source.file, reason=_reason(error)) from None
    except YAMLError as error:
        # Only the reader raises errors without a mark: about a character that YAML does not allow.
        place = _place_of_index(source, getattr(error, "position", 0))
        raise UnreadableError("config.bad_character", place, file=source.file) from None
    except RecursionError:
        raise UnreadableError("config.too_deep", source.place(1, 1), file=source.file, limit=MAX_DEPTH) from None


def _mark(source: SourceText, error: Any) -> Place:
    mark = error.problem_mark or error.context_mark
    return source.place(mark.line + 1, mark.column + 1) if mark else source.place(1, 1)


def _reason(error: Any) -> str:
    """The parser's words without what it quotes from the file: a value might be a secret."""
    words = re.sub(r"(['\"]).{3,}?\1", "…", str(error.problem or error.context or "invalid YAML"), flags=re.DOTALL)
    return words.splitlines()[0]


def _place_of_index(source: SourceText, index: int) -> Place:
    line = source.text.count("\n", 0, index) + 1
    return source.place(line, index - source.text.rfind("\n", 0, index))


@dataclass
class _Reader:
    source: SourceText
    count: int = 0

    def read(self, node: Any, depth: int = 0) -> Node:
        place = self._place(node)
        self.count += 1
        if depth > MAX_DEPTH:
            raise UnreadableError("config.too_deep", place, file=self.source.file, limit=MAX_DEPTH)
        if self.count > MAX_NODES:
            raise UnreadableError("config.too_many_values", place, file=self.source.file, limit=MAX_NODES)
        kind = type(node).__name__
        if kind != "ScalarNode" and str(node.tag) not in (f"{_TAG}map", f"{_TAG}seq"):
            raise UnreadableError("config.bad_tag", place, file=self.source.file)
        if kind == "MappingNode":
            return Node(self._mapping(node.value, depth), place)
        if kind == "SequenceNode":
            return Node(tuple(self.read(item, depth + 1) for item in node.value), place)
        return Node(self._scalar(node, place), place)

    def _mapping(self, pairs: Iterable[tuple[Any, Any]], depth: int) -> dict[str, Node]:
        merged: dict[str, Node] = {}
        own: dict[str, Node] = {}
        for key_node, value_node in pairs:
            place = self._place(key_node)
            if key_node.tag == f"{_TAG}merge":
                merged = {**self._merge(value_node, depth), **merged}
                continue
            key = self._key(key_node, place)
            if key in own:
                raise UnreadableError("config.duplicate_key", place, file=self.source.file, key=key)
            value = self.read(value_node, depth + 1)
            own[key] = Node(value.value, value.place, place)
        return {**merged, **own}

    def _merge(self, node: Any, depth: int) -> dict[str, Node]:
        """`<<: *base` or `<<: [*first, *second]`, the first one winning."""
        value = self.read(node, depth + 1)
        sources = value.items if value.is_list else [value]
        if not all(isinstance(source.value, dict) for source in sources):
            raise UnreadableError("config.bad_merge", value.place, file=self.source.file)
        merged: dict[str, Node] = {}
        for source in sources:
            merged = {**source.entries, **merged}
        return merged

    def _key(self, node: Any, place: Place) -> str:
        if type(node).__name__ != "ScalarNode":
            raise UnreadableError("config.bad_key", place, file=self.source.file)
        return str(node.value)

    def _scalar(self, node: Any, place: Place) -> Scalar:
        tag = str(node.tag)
        text = str(node.value)
        if tag == f"{_TAG}null":
            return None
        if tag == f"{_TAG}bool":
            return text.lower() == "true"
        if tag == f"{_TAG}int":
            return self._number(text, place)
        if tag == f"{_TAG}float":
            return _float(text)
        if tag in (f"{_TAG}str", f"{_TAG}timestamp", f"{_TAG}value"):
            return text
        raise UnreadableError("config.bad_tag", place, file=self.source.file)

    def _number(self, text: str, place: Place) -> int | str:
        try:
            return int(text.replace("_", ""), 0) if not re.fullmatch(r"[-+]?0\d+", text) else int(text)
        except ValueError:
            if len(text) > 100:
                raise UnreadableError("config.bad_number", place, file=self.source.file) from None
            return text

    def _place(self, node: Any) -> Place:
        return self.source.place(node.start_mark.line + 1, node.start_mark.column + 1)


def _float(text: str) -> float:
    special = {".inf": float("inf"), "-.inf": float("-inf"), "+.inf": float("inf"), ".nan": float("nan")}
    return special[text.lower()] if text.lower() in special else float(text.replace("_", ""))
