"""Streamed Markdown: nothing is lost, nothing comes twice, and what was given out never changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.terminal.stream import MarkdownStream

LINES = [
    "",
    "",
    "text",
    "# head",
    "- item",
    "  more",
    "1. one",
    "```",
    "```python",
    "~~~",
    "    code",
    "| a |",
    "`` ` ``",
]


def fed(text: str, sizes: list[int]) -> list[str]:
    stream, pieces, at = MarkdownStream(), [], 0
    for size in sizes:
        pieces.append(stream.feed(text[at : at + size]))
        at += size
    pieces.append(stream.feed(text[at:]))
    pieces.append(stream.finish())
    return [piece for piece in pieces if piece]


@given(st.lists(st.sampled_from(LINES)).map("\n".join), st.lists(st.integers(1, 7), max_size=60))
def test_the_pieces_are_the_text(text: str, sizes: list[int]) -> None:
    assert "".join(fed(text, sizes)) == text


@given(st.lists(st.sampled_from(LINES)).map("\n".join), st.lists(st.integers(1, 7), max_size=60))
def test_no_piece_ends_inside_a_code_fence(text: str, sizes: list[int]) -> None:
    for piece in fed(text, sizes)[:-1]:
        assert open_fence(piece) is None, piece


def open_fence(text: str) -> str | None:
    stream = MarkdownStream()
    stream.feed(text if text.endswith("\n") else text + "\n")
    return stream._fence  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("one\n\ntwo", "one\n\n"),
        ("- a\n\n- b\n\nend", "- a\n\n- b\n\n"),
        ("1. a\n\n   more\n\n2. b\n\nend", "1. a\n\n   more\n\n2. b\n\n"),
        ("```\na\n\nb\n```\n\nend", "```\na\n\nb\n```\n\n"),
    ],
)
def test_blocks_end_where_markdown_ends_them(text: str, first: str) -> None:
    assert fed(text, [1] * len(text))[0] == first
