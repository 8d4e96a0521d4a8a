"""The schema of the final answer."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.errors import UsageError
from mewcode.headless import AnswerSchema

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}


def test_a_matching_answer_is_given_as_value() -> None:
    checked = AnswerSchema(SCHEMA).check('{"n": 3}')
    assert (checked.value, checked.problem) == ({"n": 3}, None)


def test_the_answer_may_stand_in_a_code_fence() -> None:
    assert AnswerSchema(SCHEMA).check('Here it is:\n```json\n{"n": 3}\n```\nDone.').value == {"n": 3}


@pytest.mark.parametrize(("text", "part"), [("three", "not JSON"), ('{"n": "3"}', "$.n"), ("{}", "'n' is a required")])
def test_an_answer_that_does_not_match_is_told_what_is_wrong(text: str, part: str) -> None:
    problem = AnswerSchema(SCHEMA).check(text).problem
    assert problem is not None
    assert part in problem


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner)))
def test_any_json_value_comes_back_as_it_was(value: Any) -> None:
    assert AnswerSchema({}).check(json.dumps(value)).value == value


@pytest.mark.parametrize("content", ["{", "[1]", '{"type": "nonsense"}', None])
def test_a_file_that_is_no_schema_is_a_usage_error(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "schema.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UsageError, match=r"schema\.json"):
        AnswerSchema.from_file(path)


def test_a_reference_to_elsewhere_is_never_fetched() -> None:
    schema = AnswerSchema({"$ref": "http://127.0.0.1:9/schema.json"})
    with pytest.raises(UsageError, match="not fetched"):
        schema.check("1")
