"""The copy of a schema that models get: portable, bounded, and without references."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.mcp.schemas import LARGEST, portable


def test_local_references_are_put_in_place() -> None:
    schema = {"$defs": {"x": {"type": "string", "description": "an x"}}, "properties": {"a": {"$ref": "#/$defs/x"}}}
    assert portable(schema)["properties"]["a"] == {"type": "string", "description": "an x"}


def test_a_reference_to_itself_ends() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    copy = portable({"$defs": {"node": node}, "properties": {"list": {"$ref": "#/$defs/node"}}})
    assert copy["properties"]["list"]["properties"]["next"] == {}


def test_nothing_is_fetched() -> None:
    assert portable({"properties": {"a": {"$ref": "https://example.com/schema.json"}}})["properties"]["a"] == {}


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"properties": None}, {"type": ["object", "null"]}])
def test_the_root_is_an_object_with_properties(schema: dict[str, Any]) -> None:
    copy = portable(schema)
    assert copy["type"] == "object"
    assert copy.get("properties", {}) is not None


def test_arrays_get_items_and_objects_get_properties() -> None:
    copy = portable({"properties": {"a": {"type": "array"}, "o": {"type": "object"}, "any": True}})
    assert copy["properties"] == {
        "a": {"type": "array", "items": {}},
        "o": {"type": "object", "properties": {}},
        "any": {},
    }


def test_combinations_at_the_root_are_taken_away_and_allof_is_merged() -> None:
    part = {"properties": {"b": {"type": "string"}}, "required": ["b"]}
    copy = portable({"properties": {"a": {}}, "anyOf": [{"required": ["a"]}], "allOf": [part]})
    assert set(copy) == {"type", "properties", "required"}
    assert set(copy["properties"]) == {"a", "b"}
    assert copy["required"] == ["b"]


def test_a_property_may_be_named_like_a_keyword() -> None:
    names = {"properties": {"type": "string"}, "$ref": {"type": "string"}, "items": {"type": "integer"}}
    assert set(portable({"properties": names})["properties"]) == set(names)


def test_a_huge_schema_is_cut_to_size() -> None:
    huge = {"properties": {f"p{i}": {"type": "string", "description": "d" * 500} for i in range(200)}}
    assert len(json.dumps(portable(huge))) <= LARGEST


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "properties", "items", "$ref", "anyOf", "allOf", "required", "$defs", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=30,
)


@given(st.dictionaries(st.sampled_from(["type", "properties", "allOf", "$ref", "required", "$defs"]), JSON))
def test_whatever_a_server_sends_gives_a_usable_schema(schema: dict[str, Any]) -> None:
    copy = portable(schema)
    assert copy["type"] == "object"
    assert "$ref" not in copy
    json.dumps(copy)
