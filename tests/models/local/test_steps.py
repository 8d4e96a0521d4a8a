"""What the small model writes becomes steps, whatever it writes."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.models.local.prompt import ANSWER, EXAMPLES, STEPS, step
from mewcode.models.local.steps import Step, answer_so_far, read_step, schema_for


def test_a_tool_step_and_an_answer_are_read() -> None:
    assert read_step(step("read_file", path="a.py")) == Step(
        "read_file", {"path": "a.py"}, step("read_file", path="a.py")
    )
    assert read_step(step(ANSWER, text="Done.")).text == "Done."


@pytest.mark.parametrize("raw", ["", "   ", "hello", "[1]", '{"tool": "rm"}', '{"tool": 1}', "null", '{"args": {}}'])
def test_what_is_no_step_is_taken_as_the_answer(raw: str) -> None:
    assert read_step(raw).tool == ANSWER


def test_a_step_that_was_cut_off_keeps_what_was_written() -> None:
    raw = '{"tool": "write_file", "args": {"path": "a.py", "content": "print('
    assert read_step(raw) == Step("write_file", None, raw)


def test_an_answer_that_was_cut_off_is_as_much_as_came() -> None:
    assert read_step('{"tool": "answer", "args": {"text": "It is in sr').text == "It is in sr"


@given(st.text())
def test_an_answer_grows_letter_by_letter_and_never_shrinks(text: str) -> None:
    raw = step(ANSWER, text=text)
    seen = [answer_so_far(raw[:end]) for end in range(len(raw) + 1)]
    grown = [now for now in seen if now]
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(grown))
    assert not text or seen[-1] == text


@given(st.text())
def test_nothing_that_a_model_writes_breaks_the_reading(raw: str) -> None:
    assert read_step(raw).tool in STEPS
    assert isinstance(answer_so_far(raw), str)


def test_the_schema_offers_only_the_tools_that_are_there() -> None:
    names = [one["properties"]["tool"]["const"] for one in schema_for(["read_file", "delete_everything"])["anyOf"]]
    assert names == ["read_file", ANSWER]


def test_the_examples_follow_the_schema() -> None:
    for _, following in EXAMPLES:
        written = json.loads(following)
        assert set(written["args"]) == set(STEPS[written["tool"]])
    assert len(EXAMPLES) == 8
