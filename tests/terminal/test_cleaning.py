"""Nothing but letters and our own colours reaches the terminal, whatever text is printed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.terminal.cleaning import bare, bare_line, coloured
from mewcode.terminal.notifications import call_for
from mewcode.terminal.width import hang

_PARTS = (
    "a 王 \x1b [ 31m 2J ]0;x \x07 \x1b\\ P \x9b \x90 \r \n \t \b \u202e \u2066 \x00 \x7f "
    "\x1b[1;31m \x1b[?1049h \x1bc \x1b(0 0;"
)
PIECES = st.lists(st.sampled_from([*_PARTS.split(" "), "\u2028"])).map("".join)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


@given(PIECES)
def test_bare_text_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    assert not FORBIDDEN.search(bare(text))
    assert "\n" not in bare_line(text)


@given(PIECES)
def test_coloured_text_holds_colours_besides(text: str) -> None:
    assert not FORBIDDEN.search(COLOUR.sub("", coloured(text)))


@given(st.text(alphabet="ab 王┃\u00a0", max_size=200), st.integers(12, 40))
def test_no_line_of_a_hung_text_stands_out_from_its_indent(text: str, cells: int) -> None:
    from prompt_toolkit.utils import get_cwidth

    for line in hang(text, "┃ ", cells).split("\n"):
        assert line.startswith("┃ ") and get_cwidth(line) <= cells


def test_what_hides_becomes_visible() -> None:
    assert bare("safe\u202eexe.txt") == "safe<U+202E>exe.txt"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TERM_PROGRAM": "WezTerm"}, "\x1b]9;MewCode: a b\a"),
        ({"TERM_PROGRAM": "other"}, "\a\x1b]9;MewCode: a b\a"),
        ({"VTE_VERSION": "7000"}, "\x1b]777;notify;MewCode;a b\a"),
        ({"TERM_PROGRAM": "WezTerm", "TMUX": "/x"}, "\x1bPtmux;\x1b\x1b]9;MewCode: a b\a\x1b\\"),
    ],
)
def test_a_notification_is_written_as_the_terminal_knows_it(environ: dict[str, str], expected: str) -> None:
    assert call_for("a\x1b]0;evil\x07 b\n", "desktop", environ) == expected


def test_a_bell_says_nothing() -> None:
    assert call_for("anything", "bell", {"TERM_PROGRAM": "WezTerm"}) == "\a"
