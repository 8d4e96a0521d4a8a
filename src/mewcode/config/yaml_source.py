"""Reads YAML into a tree of nodes: YAML 1.2's plain types, anchors and merge keys; no tags, bombs or duplicate keys."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mewcode.config.node import Node
from mewcode.config.place import Place
from mewcode.config.source_file import SourceText, UnreadableError
from mewcode.config.yaml_events import events_of
from mewcode.config.yaml_scalars import plain_value

MAX_VALUES = 50_000
"""Values after aliases are written out: an alias bomb ends here."""
MAX_DEPTH = 50
_TAG = "tag:yaml.org,2002:"
_USUAL_TAGS = frozenset({None, "!", f"{_TAG}str", f"{_TAG}map", f"{_TAG}seq"})


def parse_yaml(source: SourceText) -> Node:
    """An empty file is an empty mapping. Raises UnreadableError with the place of the first thing that is wrong."""
    node = _Reader(source, events_of(source)).document()
    if node is None:
        return Node({}, source.place(1, 1))
    if not isinstance(node.value, dict):
        raise UnreadableError("config.not_mapping", node.place, file=source.file)
    return node


@dataclass(frozen=True)
class _Anchor:
    node: Node
    values: int


@dataclass
class _Reader:
    """Builds nodes out of the parser's events; nothing is constructed that is not a plain value."""

    source: SourceText
    events: Iterator[Any]
    values: int = 0
    anchors: dict[str, _Anchor] = field(default_factory=dict[str, _Anchor])

    def document(self) -> Node | None:
        """The one document of the file."""
        root: Node | None = None
        started = False
        for event in self.events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent" and started:
                raise self._error("config.second_document", event)
            started = started or kind == "DocumentStartEvent"
            if kind in ("ScalarEvent", "MappingStartEvent", "SequenceStartEvent", "AliasEvent"):
                root = self._node(event, 0)
        return None if root is None or root.value is None else root

    def _node(self, event: Any, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self._error("config.too_deep", event, limit=MAX_DEPTH)
        if type(event).__name__ == "AliasEvent":
            return self._alias(event)
        if event.tag not in _USUAL_TAGS:
            raise self._error("config.bad_tag", event)
        before = self.values
        self._count(1, event)
        node = Node(self._value(event, depth), self._place(event))
        if event.anchor:
            self.anchors[event.anchor] = _Anchor(node, self.values - before)
        return node

    def _value(self, event: Any, depth: int) -> Any:
        kind = type(event).__name__
        if kind == "MappingStartEvent":
            return self._mapping(depth)
        if kind == "SequenceStartEvent":
            return tuple(self._node(item, depth + 1) for item in self._until("SequenceEndEvent"))
        if not event.implicit[0] or event.tag is not None:
            return event.value
        if len(event.value) > 300 and re.fullmatch(r"[-+\d.eE]+", event.value):
            raise self._error("config.bad_number", event)
        return plain_value(event.value)

    def _mapping(self, depth: int) -> dict[str, Node]:
        merged: dict[str, Node] = {}
        own: dict[str, Node] = {}
        for key_event in self._until("MappingEndEvent"):
            if type(key_event).__name__ != "ScalarEvent":
                raise self._error("config.bad_key", key_event)
            value = self._node(next(self.events), depth + 1)
            if key_event.value == "<<" and key_event.implicit[0]:
                merged = {**self._merge(value), **merged}
                continue
            if key_event.value in own:
                raise self._error("config.duplicate_key", key_event, key=key_event.value)
            own[key_event.value] = Node(value.value, value.place, self._place(key_event))
        return {**merged, **own}

    def _merge(self, value: Node) -> dict[str, Node]:
        """`<<: *base` or `<<: [*first, *second]`, the first one winning."""
        merged: dict[str, Node] = {}
        for source in value.items if value.is_list else [value]:
            if not isinstance(source.value, dict):
                raise UnreadableError("config.bad_merge", value.place, file=self.source.file)
            merged = {**source.entries, **merged}
        return merged

    def _alias(self, event: Any) -> Node:
        """The anchored node itself, with the place where it was written."""
        anchor = self.anchors.get(event.anchor)
        if anchor is None:
            raise self._error("config.unknown_alias", event)
        self._count(anchor.values, event)
        return anchor.node

    def _until(self, end: str) -> Iterator[Any]:
        for event in self.events:
            if type(event).__name__ == end:
                return
            yield event

    def _count(self, values: int, event: Any) -> None:
        self.values += values
        if self.values > MAX_VALUES:
            raise self._error("config.too_many_values", event, limit=MAX_VALUES)

    def _error(self, code: str, event: Any, **values: object) -> UnreadableError:
        return UnreadableError(code, self._place(event), file=self.source.file, **values)

    def _place(self, event: Any) -> Place:
        return self.source.place(event.start_mark.line + 1, event.start_mark.column + 1)
