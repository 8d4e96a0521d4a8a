"""Laws of laying settings over each other."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mewcode.config.merge import merge
from mewcode.config.node import Node
from mewcode.config.place import Place

KEYS = st.sampled_from(["a", "b", "c"])
LEAVES = st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=3)
# What is a group in one file is a group in every other: each was held against the schema before.
INNER = st.fixed_dictionaries({}, optional={"a": LEAVES, "b": LEAVES})
GROUPS = st.fixed_dictionaries(
    {}, optional={"a": LEAVES, "b": INNER, "c": st.fixed_dictionaries({}, optional={"a": INNER})}
)
ENTRIES = st.dictionaries(KEYS, st.dictionaries(KEYS, LEAVES, max_size=3), max_size=3)
TREES = st.fixed_dictionaries(
    {},
    optional={
        "limits": GROUPS,
        "mcp_servers": ENTRIES,
        "permissions": st.lists(st.fixed_dictionaries({"rule": st.text(max_size=3)}), max_size=3),
        "model": st.text(max_size=3),
    },
)


def node(tree: dict[str, Any], scope: Any = "user") -> Node:
    return Node.of(tree, Place(scope))


@given(TREES)
def test_nothing_above_or_below_changes_nothing(tree: dict[str, Any]) -> None:
    assert merge([node(tree), node({})]).plain() == tree
    assert merge([node({}), node(tree)]).plain() == tree


@given(TREES, TREES, TREES)
def test_the_order_of_merging_does_not_matter_only_the_order_of_layers(
    a: dict[str, Any], b: dict[str, Any], c: dict[str, Any]
) -> None:
    together = merge([node(a), node(b), node(c)]).plain()
    assert together == merge([merge([node(a), node(b)]), node(c)]).plain()
    assert together == merge([node(a), merge([node(b), node(c)])]).plain()


@given(TREES, TREES)
def test_every_value_keeps_the_place_it_came_from(a: dict[str, Any], b: dict[str, Any]) -> None:
    merged = merge([node(a, "user"), node(b, "project")])
    layers = {"user": node(a, "user"), "project": node(b, "project")}
    for way, leaf in merged.leaves():
        if leaf.value == () or leaf.entries or way[:1] == ("permissions",) or not way:
            continue
        found = layers[leaf.place.scope].find(way)
        assert found is not None
        assert found.plain() == leaf.plain()


@given(TREES, TREES)
def test_servers_are_whole_entries_and_rules_follow_each_other(a: dict[str, Any], b: dict[str, Any]) -> None:
    merged = merge([node(a), node(b)]).plain()
    assert merged.get("mcp_servers", {}) == {**a.get("mcp_servers", {}), **b.get("mcp_servers", {})}
    assert merged.get("permissions", []) == [*a.get("permissions", []), *b.get("permissions", [])]
