"""Arguments are checked against schemas that outsiders wrote: the answer helps, and no schema is a weapon."""

import time
from typing import Any

import pytest

from mewcode.governance.schema import is_safe_pattern, problems_of


def test_a_problem_names_the_field_and_the_reason() -> None:
    schema = {
        "type": "object",
        "properties": {
            "issue": {"type": "object", "properties": {"labels": {"type": "array", "items": {"type": "string"}}}}
        },
        "required": ["repo"],
    }
    found = problems_of(schema, {"issue": {"labels": ["a", 3]}})
    assert any("issue.labels[1]" in problem and "string" in problem for problem in found)
    assert any("'repo' is a required property" in problem for problem in found)


def test_an_unknown_argument_is_told_the_parameters() -> None:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}, "additionalProperties": False}
    assert "The parameters are: path" in problems_of(schema, {"file": "x"})[0]


def test_a_reference_into_the_network_is_never_followed() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/schema.json"}}}
    assert problems_of(schema, {"a": 1}) == []


DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def _doubling(levels: int) -> dict[str, Any]:
    definitions = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{levels}": {"type": "object"}}}


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (_doubling(40), {"a": 1}),
        ({"$ref": "#"}, {"a": 1}),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "allOf": [{"$ref": "#"}]}, {"a": 1}),
        ({"properties": {"a": {"pattern": "^(a+)+$"}}}, {"a": "a" * 60 + "!"}),
        ({"properties": {"a": {"pattern": "(a|aa)*b"}}}, {"a": "a" * 60}),
        ({"properties": {"a": {"pattern": "a*a*a*a*a*a*b"}}}, {"a": "a" * 5_000}),
        ({"patternProperties": {"^(a+)+$": {}}}, {"a" * 60 + "!": 1}),
        ({"properties": {"a": {"uniqueItems": True}}}, {"a": [{"x": n} for n in range(5_000)]}),
        ({"properties": {"a": {"$schema": DRAFT_7, "pattern": "^(a+)+$"}}}, {"a": "a" * 60 + "!"}),
    ],
)  # fmt: skip
def test_a_schema_made_to_be_slow_ends(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    started = time.process_time()
    assert isinstance(problems_of(schema, arguments), list)
    assert time.process_time() - started < 20


def test_a_schema_of_any_depth_or_size_is_survived() -> None:
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(5_000):
        deep = {"properties": {"a": deep}}
    assert problems_of(deep, {"a": {}}) == []
    assert problems_of({"properties": {f"p{n}": {"type": "string"} for n in range(100_000)}}, {"p1": 1}) == []


@pytest.mark.parametrize("schema", [{"type": "nonsense"}, {"properties": 3}, {"pattern": "("}, {"required": 1}])
def test_a_schema_that_means_nothing_stops_no_call(schema: dict[str, Any]) -> None:
    assert problems_of(schema, {"a": 1}) == []


@pytest.mark.parametrize("pattern", ["^[a-z]+$", r"^\d{4}-\d{2}-\d{2}$", "^(ab)+$", "^https?://"])
def test_ordinary_patterns_are_checked(pattern: str) -> None:
    assert is_safe_pattern(pattern, 100)


def test_a_pattern_that_is_checked_refuses_what_does_not_fit() -> None:
    assert problems_of({"properties": {"a": {"type": "string", "pattern": "^[a-z]+$"}}}, {"a": "A1"})
