"""Of a command's output the head, the tail and the failing lines are kept, without terminal noise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.workspace.output_economy import Economy, OutputEconomy
from mewcode.workspace.terminal_noise import LineStream, clean_line


def economy(lines: list[str], room: int = 4_000) -> Economy:
    kept = OutputEconomy(room)
    for line in lines:
        kept.add(line)
    return kept.result()


def streamed(*chunks: bytes) -> list[str]:
    stream = LineStream()
    return [line for chunk in chunks for line in stream.feed(chunk)] + stream.finish()


def test_a_short_output_is_kept_whole() -> None:
    assert economy(["a", "", "b"]) == Economy("a\n\nb", False, 3)


def test_an_output_that_just_fits_is_kept_whole() -> None:
    lines = [f"{number:09}" for number in range(400)]
    assert economy(lines, 4_000).text == "\n".join(lines)


def test_head_tail_and_failing_lines_of_a_long_output_are_kept() -> None:
    lines = [f"line {number}" for number in range(5_000)]
    lines[2_500] = "src/main.c:12: error: expected ';'"
    kept = economy(lines)
    shown = kept.text.splitlines()
    assert kept.cut
    assert len(kept.text) <= 4_000
    assert (shown[0], shown[-1]) == ("line 0", "line 4999")
    assert lines[2_500] in shown


def test_no_errors_is_no_failure() -> None:
    lines = [f"line {number}" for number in range(3_000)]
    lines[1_500] = "compiled, 0 errors, 0 warnings"
    assert lines[1_500] not in economy(lines).text


def test_a_line_that_comes_again_and_again_is_told_once() -> None:
    kept = economy(["waiting", *["retry"] * 1_000, "done"])
    assert kept.text.splitlines() == ["waiting", "retry", "[the same line 999 more times]", "done"]


def test_one_endless_line_is_cut() -> None:
    kept = economy(["x" * 100_000])
    assert kept.cut
    assert len(kept.text) < 600


@given(
    st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), max_size=90), max_size=120),
    st.integers(400, 1_500),
)
def test_the_room_is_kept_and_nothing_is_lost_in_silence(lines: list[str], room: int) -> None:
    kept = economy(lines, room)
    assert len(kept.text) <= room
    assert kept.lines == len(lines)
    if "\n".join(lines) != kept.text:
        assert kept.cut or "more times]" in kept.text


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("\x1b[31mred\x1b[0m text", "red text"),
        ("\x1b]0;title\x07shown", "shown"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        (" 10%\r 50%\r100% done", "100% done"),
        ("windows\r", "windows"),
        ("bold: b\bbo\bol\bld\bd", "bold: bold"),
        ("\x1b[2K\x1b[1Gnpm", "npm"),
        ("bell\x07 and nul\0", "bell and nul"),
        ("\x1b(Bplain", "plain"),
        ("tab\tstays", "tab\tstays"),
    ],
)
def test_terminal_noise_is_taken_out(raw: str, clean: str) -> None:
    assert clean_line(raw) == clean


def test_characters_and_escapes_may_come_in_pieces() -> None:
    assert streamed("ü".encode()[:1], "ü".encode()[1:] + b"\x1b[3", b"1mred\n", b"rest") == ["üred", "rest"]


def test_an_endless_progress_bar_takes_no_memory() -> None:
    stream = LineStream()
    for number in range(20_000):
        assert stream.feed(f"\r{number} ".encode() + b"#" * 50) == []
    assert stream.finish()[0].startswith("19999")


@given(st.binary(max_size=400), st.integers(1, 50))
def test_where_the_pieces_end_changes_nothing(data: bytes, size: int) -> None:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert streamed(*pieces) == streamed(data)


@given(st.binary(max_size=400))
def test_no_escape_survives(data: bytes) -> None:
    assert not any("\x1b" in line or "\r" in line for line in streamed(data))
