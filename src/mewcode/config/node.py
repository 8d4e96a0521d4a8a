"""A settings file as a tree that remembers where each value stands."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from mewcode.config.place import DEFAULT, Place
from mewcode.config.shapes import as_list, as_mapping

Scalar: TypeAlias = str | int | float | bool | None
Key: TypeAlias = str | int


@dataclass(frozen=True)
class Node:
    """A value and its place. `key_place` is where its key stands, for values in a mapping.

    `template` is the text before expansion, for values that held ${…}.
    """

    value: "Scalar | Mapping[str, Node] | Sequence[Node]"
    place: Place = DEFAULT
    key_place: Place | None = None
    template: str | None = None

    @property
    def entries(self) -> "Mapping[str, Node]":
        """The entries of a mapping; empty for anything else."""
        return self.value if isinstance(self.value, Mapping) else _NOTHING

    @property
    def items(self) -> "Sequence[Node]":
        """The items of a list; empty for anything else."""
        return () if isinstance(self.value, str | Mapping) or not isinstance(self.value, Sequence) else self.value

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, Sequence) and not isinstance(self.value, str)

    def child(self, key: Key) -> "Node | None":
        if isinstance(key, int):
            return self.items[key] if key < len(self.items) else None
        return self.entries.get(key)

    def find(self, keys: Sequence[Key]) -> "Node | None":
        node: Node | None = self
        for key in keys:
            node = node.child(key) if node else None
        return node

    def deepest(self, keys: Sequence[Key]) -> "Node":
        """The last node on the way that is there."""
        node = self
        for key in keys:
            child = node.child(key)
            if child is None:
                return node
            node = child
        return node

    def without(self, keys: Sequence[Key]) -> "Node":
        """The tree without the value at `keys`."""
        return self.changed(keys, None)

    def changed(self, keys: Sequence[Key], new: "Node | None") -> "Node":
        """The tree with `new` at `keys` (None removes it). Unchanged where there is no such parent."""
        first, rest = keys[0], keys[1:]
        child = self.child(first)
        if rest:
            new = child.changed(rest, new) if child else None
            if child is None:
                return self
        if isinstance(first, int):
            kept = [new if i == first else item for i, item in enumerate(self.items)]
            return replace(self, value=tuple(item for item in kept if item is not None))
        entries = {**self.entries, first: new}
        return replace(self, value={key: node for key, node in entries.items() if node is not None})

    def plain(self) -> Any:
        """The value without its places, for validation."""
        if isinstance(self.value, Mapping):
            return {key: node.plain() for key, node in self.value.items()}
        return [node.plain() for node in self.items] if self.is_list else self.value

    def leaves(self, path: tuple[Key, ...] = ()) -> "Iterator[tuple[tuple[Key, ...], Node]]":
        """Every scalar (and empty collection) with the way to it."""
        children: list[tuple[Key, Node]] = [*self.entries.items(), *enumerate(self.items)]
        if not children:
            yield path, self
        for key, node in children:
            yield from node.leaves((*path, key))

    @classmethod
    def of(cls, value: Any, place: Place) -> "Node":
        """A tree out of plain data, all of it at one place."""
        if (mapping := as_mapping(value)) is not None:
            return cls({str(key): cls.of(item, place) for key, item in mapping.items()}, place)
        if (items := as_list(value)) is not None:
            return cls(tuple(cls.of(item, place) for item in items), place)
        return cls(value, place)


_NOTHING: Mapping[str, Node] = {}


def dotted(keys: Sequence[Key]) -> str:
    """limits.per_minute, permissions[2].rule."""
    text = ""
    for key in keys:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text
