"""Replacing a text exactly, and explaining why it is not there."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mewcode.workspace.editing import Edited, NotUnique, line_ending, replace
from mewcode.workspace.near_misses import explain_miss
from mewcode.workspace.snippets import short_diff

WORDS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r"), max_size=40)


def test_a_unique_text_is_replaced() -> None:
    outcome = replace("a = 1\nb = 2\n", "b = 2", "b = 3", everywhere=False)
    assert outcome == Edited("a = 1\nb = 3\n", 1, 2)


def test_a_text_found_twice_names_the_lines() -> None:
    assert replace("x\ny\nx\n", "x", "z", everywhere=False) == NotUnique((1, 3), 2)
    assert replace("x\ny\nx\n", "x", "z", everywhere=True) == Edited("z\ny\nz\n", 2, 1)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_ends_of_the_file_are_kept(ending: str) -> None:
    text = ending.join(["one", "two", "three", ""])
    outcome = replace(text, "one\ntwo", "1\n2\n2b", everywhere=False)
    assert isinstance(outcome, Edited)
    assert outcome.text == ending.join(["1", "2", "2b", "three", ""])


def test_mixed_line_ends_stay_mixed() -> None:
    outcome = replace("a\r\nb\nc\r\nd\n", "b\nc", "B\nC", everywhere=False)
    assert isinstance(outcome, Edited)
    assert outcome.text == "a\r\nB\nC\r\nd\n"


def test_what_looks_like_an_expression_is_taken_as_it_is() -> None:
    outcome = replace("f(.*)[0]\\n$1", "f(.*)[0]\\n$1", r"\1 \g<0>", everywhere=False)
    assert outcome == Edited(r"\1 \g<0>", 1, 1)


@given(WORDS, WORDS, WORDS, WORDS)
def test_replacing_and_replacing_back_gives_the_same_text(before: str, after: str, old: str, new: str) -> None:
    assume(old and new)
    text = before + old + after
    outcome = replace(text, old, new, everywhere=False)
    assume(isinstance(outcome, Edited))
    assert isinstance(outcome, Edited)
    back = replace(outcome.text, new, old, everywhere=False)
    assume(isinstance(back, Edited))
    assert isinstance(back, Edited)
    assert back.text == text or outcome.text.count(new) > 1


@given(st.text("ab\n", max_size=40), st.text("ab\n", min_size=1, max_size=3), WORDS)
def test_replacing_everywhere_is_what_python_does_where_there_is_one_kind_of_line_end(
    text: str, old: str, new: str
) -> None:
    outcome = replace(text, old, new, everywhere=True)
    edited = outcome.text if isinstance(outcome, Edited) else text
    assert edited == text.replace(old, new)


@given(WORDS)
def test_the_usual_line_end_is_one_of_two(text: str) -> None:
    assert line_ending(text) in ("\n", "\r\n")


FILE = "def area(r):\n    return 3.14 * r * r\n\n\ndef name():\n\treturn 'It’s'\n"


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("def area(r):\n  return 3.14 * r * r", "indentation (the file has 4 spaces, the text to replace 2 spaces)"),
        ("def name():\n    return 'It’s'", "indentation (the file has 1 tab, the text to replace 4 spaces)"),
        ("def area(r):  \n    return 3.14 * r * r", "spaces at the ends of lines"),
        ("    return 3.14*r*r", "spaces and tabs within the lines"),
        ("\treturn 'It's'", "look-alike"),
        ("Def Area(r):", "upper and lower case"),
        ("     2\t    return 3.14 * r * r", "line numbers"),
        ("def area(r):\\n    return 3.14", r"two characters \n"),
        ("    return 3.1415 * r * r", "Nearest is line 2"),
        ("something wholly different", "Nothing similar"),
    ],
)
def test_a_near_miss_is_named(old: str, said: str) -> None:
    assert replace(FILE, old, "x", everywhere=False) is None
    assert said in explain_miss(FILE, old)


@given(st.text(max_size=200), st.text(min_size=1, max_size=60))
def test_every_miss_gets_an_explanation(text: str, old: str) -> None:
    assert explain_miss(text, old)


def test_a_diff_counts_lines_from_the_start_of_the_file() -> None:
    before = "".join(f"{n}\n" for n in range(1, 101))
    diff = short_diff(before, before.replace("50\n", "fifty\n"))
    assert diff.splitlines()[0] == "@@ -47,7 +47,7 @@"
    assert "-50" in diff
    assert "+fifty" in diff


@given(st.lists(st.sampled_from("abc"), max_size=20), st.lists(st.sampled_from("abc"), max_size=20))
def test_a_diff_is_empty_just_when_nothing_changed(old: list[str], new: list[str]) -> None:
    before, after = "\n".join(old), "\n".join(new)
    assert (short_diff(before, after) == "") == (before == after)


def test_a_long_diff_stays_short() -> None:
    before, after = ("\n".join(f"{mark}{n}" for n in range(900)) for mark in "ab")
    assert len(short_diff(before, after).splitlines()) <= 61
