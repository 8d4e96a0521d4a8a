"""Lays settings trees over each other: the later one wins, entries as wholes, rules one after the other."""

from collections.abc import Iterable
from dataclasses import replace

from mewcode.config.node import Node
from mewcode.config.validation import ENTRY_GROUPS

CONCATENATED = frozenset({("permissions",), ("confirmations", "also"), ("confirmations", "protected_paths")})
"""Lists of which every file adds to the others."""
_NO_TREE = Node({})


def merge(trees: Iterable[Node]) -> Node:
    """From the weakest to the strongest. Groups merge by key; an entry of a collection replaces the whole entry of
    that name; other lists and values are replaced."""
    merged = _NO_TREE
    for tree in trees:
        merged = _over(merged, tree, ())
    return merged


def _over(lower: Node, upper: Node, keys: tuple[str, ...]) -> Node:
    if keys in CONCATENATED:
        return replace(upper, value=(*lower.items, *upper.items))
    if not isinstance(lower.value, dict) or not isinstance(upper.value, dict):
        return upper
    if len(keys) == 2 and keys[0] in ENTRY_GROUPS:
        return upper
    entries = dict(lower.entries)
    for key, node in upper.entries.items():
        below = entries.get(key)
        entries[key] = node if below is None else _over(below, node, (*keys, key))
    return replace(upper, value=entries)
