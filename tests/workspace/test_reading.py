"""A window of lines out of files of any size."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mewcode.workspace.access import Access
from mewcode.workspace.opening import open_file
from mewcode.workspace.reading import Lines, Window, lines_of, read_lines

GIB = 1 << 30


def go_on() -> None:
    """Nobody cancels."""


def read(access: Access, path: str, window: Window | None = None, check: Callable[[], None] = go_on) -> Lines | None:
    with open_file(access, path) as file:
        return read_lines(file, window or Window(), check)


def test_the_first_200_lines_and_how_many_follow(access: Access, workspace: Path) -> None:
    (workspace / "long.txt").write_text("".join(f"line {n}\n" for n in range(1, 501)))
    lines = read(access, "long.txt")
    assert lines is not None
    assert (lines.lines[0], lines.lines[-1], lines.left) == ("line 1", "line 200", 300)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_offset_and_limit_count_lines_in_every_encoding(
    access: Access, workspace: Path, codec: str, ending: str
) -> None:
    (workspace / "t.txt").write_bytes("".join(f"zeile ü {n}{ending}" for n in range(1, 31)).encode(codec))
    lines = read(access, "t.txt", Window(offset=11, limit=5))
    assert lines is not None
    assert lines.lines == tuple(f"zeile ü {n}" for n in range(11, 16))
    assert (lines.first, lines.left) == (11, 15)


def test_a_last_line_without_an_end_counts(access: Access, workspace: Path) -> None:
    (workspace / "t.txt").write_text("a\nb\nc")
    lines = read(access, "t.txt", Window(limit=2))
    assert lines is not None
    assert (lines.lines, lines.left) == (("a", "b"), 1)


@pytest.mark.parametrize("offset", [4, 400])
def test_an_offset_beyond_the_end_gives_nothing(access: Access, workspace: Path, offset: int) -> None:
    (workspace / "t.txt").write_text("a\nb\nc")
    lines = read(access, "t.txt", Window(offset=offset))
    assert lines is not None
    assert (lines.lines, lines.left) == ((), 0)


def test_long_lines_are_cut_and_named(access: Access, workspace: Path) -> None:
    (workspace / "t.txt").write_text("short\n" + "x" * 5_000 + "\n" + "y" * 2_000 + "\r\n")
    lines = read(access, "t.txt")
    assert lines is not None
    assert [len(line) for line in lines.lines] == [5, 2_000, 2_000]
    assert lines.cut == (2,)


def test_bytes_that_are_not_utf_8_far_inside_are_shown_as_such(access: Access, workspace: Path) -> None:
    (workspace / "t.txt").write_bytes(b"ok\n" * 30_000 + b"caf\xe9\n")
    lines = read(access, "t.txt", Window(offset=30_001))
    assert lines is not None
    assert lines.undecodable
    assert lines.lines == ("caf\ufffd",)


def test_a_gibibyte_is_not_read_into_memory(access: Access, workspace: Path) -> None:
    with (workspace / "huge.txt").open("wb") as file:
        file.write(b"first line\nsecond line\n" * 4_000)
        file.truncate(GIB)  # the rest is a hole: it takes no room on the disk
    tracemalloc.start()
    lines = read(access, "huge.txt", Window(offset=5, limit=3))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lines is not None
    assert lines.lines == ("first line", "second line", "first line")
    assert lines.left is None
    assert peak < 16 << 20


def test_a_gibibyte_of_zeros_is_binary(access: Access, workspace: Path) -> None:
    with (workspace / "zeros").open("wb") as file:
        file.truncate(GIB)
    assert read(access, "zeros") is None


def test_one_line_of_many_mebibytes_is_not_held_in_memory(access: Access, workspace: Path) -> None:
    with (workspace / "one.txt").open("wb") as file:
        for _ in range(64):
            file.write(b"x" * (1 << 20))
    tracemalloc.start()
    lines = read(access, "one.txt")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lines is not None
    assert len(lines.lines[0]) == 2_000
    assert peak < 16 << 20


def test_reading_gives_up_when_it_is_told_to(access: Access, workspace: Path) -> None:
    (workspace / "t.txt").write_text("x\n" * 1_000_000)

    def give_up() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(access, "t.txt", Window(offset=900_000), give_up)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=("Cs", "Cc")), max_size=20), max_size=30
    ),
    st.integers(1, 35),
    st.integers(1, 35),
)
def test_windows_show_just_what_splitting_the_whole_text_shows(rows: list[str], offset: int, limit: int) -> None:
    lines = lines_of("".join(f"{row}\n" for row in rows), Window(offset=offset, limit=limit))
    assert list(lines.lines) == rows[offset - 1 : offset - 1 + limit]
    assert lines.left == max(0, len(rows) - (offset - 1) - limit)
