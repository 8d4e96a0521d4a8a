"""Lines out of bytes."""

import json

from hypothesis import given
from hypothesis import strategies as st

from mewcode.mcp.transports.framing import Lines, Unreadable, parse


def read(chunks: list[bytes], longest: int = 1 << 20) -> list[bytes | Unreadable]:
    lines = Lines(longest)
    return [line for chunk in chunks for line in lines.feed(chunk)] + list(lines.end())


@given(st.lists(st.binary(max_size=60).filter(lambda line: b"\n" not in line and line), max_size=10), st.data())
def test_lines_come_out_the_same_however_they_were_cut(lines: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(line + b"\n" for line in lines)
    chunks: list[bytes] = []
    while whole:
        size = data.draw(st.integers(1, len(whole)))
        chunks.append(whole[:size])
        whole = whole[size:]
    assert read(chunks) == lines


def test_a_line_over_the_limit_is_dropped_and_says_whose_answer_it_was() -> None:
    line = json.dumps({"jsonrpc": "2.0", "id": 7, "result": {"text": "x" * 100_000}}).encode()
    [dropped, kept] = read([line[:50_000], line[50_000:] + b"\n", b"{}\n"], longest=1000)
    assert isinstance(dropped, Unreadable)
    assert dropped.ids == (7,)
    assert kept == b"{}"


def test_the_id_is_found_at_the_end_as_well() -> None:
    line = json.dumps({"result": {"text": "x" * 100_000}, "jsonrpc": "2.0", "id": "seven"}).encode()
    [dropped] = read([line + b"\n"], longest=1000)
    assert isinstance(dropped, Unreadable)
    assert dropped.ids == ("seven",)


@given(st.recursive(st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(), st.lists, max_leaves=20))
def test_json_is_read_as_json(value: object) -> None:
    if value is not None:
        assert parse(json.dumps(value).encode()) == json.loads(json.dumps(value).encode())


def test_lone_surrogates_and_bytes_that_are_no_text_become_replacement_characters() -> None:
    assert parse(rb'{"a": "\ud83d"}') == {"a": "\ufffd"}
    assert parse(b'{"a": "\xff"}') == {"a": "\ufffd"}


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fail(line: bytes) -> None:
    parse(line)
