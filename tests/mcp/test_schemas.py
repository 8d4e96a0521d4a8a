"""The copy of a schema that models get: portable, bounded, and without references."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mewcode.mcp.schemas import LARGEST, portable

NAME = re.compile("[a-zA-Z0-9_.-]{1,64}")
"""What Anthropic's API takes as the name of an argument; the others take more."""


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
    names = {"properties": {"type": "string"}, "required": {"type": "string"}, "items": {"type": "integer"}}
    assert set(portable({"properties": names})["properties"]) == set(names)


def test_a_huge_schema_is_cut_to_size() -> None:
    huge = {"properties": {f"p{i}": {"type": "string", "description": "d" * 500} for i in range(200)}}
    assert len(json.dumps(portable(huge))) <= LARGEST


def test_alternatives_at_the_root_leave_their_arguments_behind_and_demand_none() -> None:
    one, other = ({"properties": {name: {"type": "string"}}, "required": [name]} for name in ("id", "name"))
    copy = portable({"oneOf": [one, other]})
    assert list(copy["properties"]) == ["id", "name"]
    assert "required" not in copy


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ({"type": "int", "minimum": 0, "exclusiveMinimum": True}, {"type": "integer", "minimum": 0}),
        ({"type": "STRING", "minLength": "3", "pattern": "(", "required": True}, {"type": "string"}),
        ({"type": ["array", "null"]}, {"type": ["array", "null"], "items": {}}),
        ({"type": "array", "items": [{"type": "string"}]}, {"type": "array", "items": {"anyOf": [{"type": "string"}]}}),
        ({"type": "whatever", "enum": "a", "description": {"en": "x"}, "anyOf": []}, {}),
        ({"if": {"type": "any"}, "then": {}, "dependencies": {"a": ["b"]}, "x-order": 1}, {}),
        ("string", {}),
    ],
)
def test_what_providers_would_refuse_is_mended_or_left_out(sent: Any, shown: dict[str, Any]) -> None:
    assert portable({"properties": {"a": sent}})["properties"]["a"] == shown


def test_arguments_with_odd_names_are_told_in_words_so_that_no_provider_refuses_the_request() -> None:
    properties = {"$filter": {"type": "string"}, "user:id": {"type": "integer"}, "top": {"type": "integer"}}
    copy = portable({"properties": properties, "required": ["$filter", "top"], "additionalProperties": False})
    assert set(copy["properties"]) == {"top"}
    assert copy["required"] == ["top"]
    assert '"$filter": {"type": "string"}' in copy["description"]
    assert "Required of them: $filter" in copy["description"]
    assert "additionalProperties" not in copy


KEYWORDS = [
    "type",
    "properties",
    "items",
    "$ref",
    "anyOf",
    "allOf",
    "oneOf",
    "not",
    "required",
    "$defs",
    "x",
    "$filter",
    "enum",
    "const",
    "minimum",
    "exclusiveMinimum",
    "multipleOf",
    "pattern",
    "minLength",
    "uniqueItems",
    "patternProperties",
    "additionalProperties",
    "dependencies",
    "if",
    "title",
    "default",
]
TEXTS = st.text(max_size=8) | st.sampled_from(["array", "object", "int", "(", "#/$defs/x", "#/properties/x"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4),
    max_leaves=30,
)


@given(st.dictionaries(st.sampled_from(KEYWORDS), JSON))
def test_whatever_a_server_sends_gives_a_schema_that_is_valid_and_usable(schema: dict[str, Any]) -> None:
    copy = portable(schema)
    Draft202012Validator.check_schema(copy)
    assert copy["type"] == "object"
    assert "$ref" not in copy
    assert all(NAME.fullmatch(name) for name in copy["properties"])
    json.dumps(copy)
