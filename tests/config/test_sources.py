"""Whatever stands in a settings file's place gets a clear answer: file, line, column, never a value, no traceback."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mewcode.config.json_source import parse_json
from mewcode.config.node import Node
from mewcode.config.source_file import MAX_BYTES, SourceText, UnreadableError, read_source
from mewcode.config.yaml_dump import dump_block, dump_flow
from mewcode.config.yaml_source import parse_yaml

SECRET = "sk-do-not-print-me"


def yaml(text: str) -> Node:
    return parse_yaml(SourceText(text, Path("/x/config.yaml"), "user"))


def json_of(text: str) -> Node:
    return parse_json(SourceText(text, Path("/x/.mcp.json"), "mcp_json"))


def test_each_value_knows_its_line_and_column() -> None:
    tree = yaml("limits:\n  per_minute: 5\npermissions:\n  - {rule: a, effect: deny}\n")
    assert [(str(leaf.place), leaf.value) for _, leaf in tree.leaves()] == [
        ("/x/config.yaml:2:15", 5),
        ("/x/config.yaml:4:12", "a"),
        ("/x/config.yaml:4:23", "deny"),
    ]


def test_json_knows_its_places_and_takes_what_editors_write() -> None:
    tree = json_of('{\n  // a comment\n  "mcpServers": {"a": {"command": "x", "args": ["\\u00e9",],},}, /* end */\n}')
    assert tree.plain() == {"mcpServers": {"a": {"command": "x", "args": ["é"]}}}
    node = tree.find(("mcpServers", "a", "command"))
    assert node and (node.place.line, node.place.column) == (3, 35)


def test_byte_order_mark_and_windows_line_ends_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_bytes(b"\xef\xbb\xbfmodel: a\r\nmode: plan\r\n")
    source = read_source(file, "user")
    assert source and parse_yaml(source).plain() == {"model": "a", "mode": "plan"}


def test_anchors_and_merge_keys_work() -> None:
    text = "a: &base {x: 1, y: 2}\nb: {<<: *base, y: 3}\nc: *base\nd: {<<: [*base, {z: 4}]}\n"
    assert yaml(text).plain() == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 3},
        "c": {"x": 1, "y": 2},
        "d": {"x": 1, "y": 2, "z": 4},
    }


def test_yaml_1_2_words_are_text_and_numbers_are_numbers() -> None:
    text = "a: off\nb: yes\nc: 012\nd: 0x1F\ne: 1e3\nf: 2026-01-01\ng: ~\nh: 1_000\ni: .5\nj: 'true'\nk: true\n"
    assert yaml(text).plain() == {
        "a": "off", "b": "yes", "c": 12, "d": 31, "e": 1000.0, "f": "2026-01-01",
        "g": None, "h": "1_000", "i": 0.5, "j": "true", "k": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"model: [{SECRET}", "1:"),
        (f"model: a\n\tmode: {SECRET}\n", "2:"),
        (f"model: a\nmodel: {SECRET}\n", "2:1"),
        (f"a: *{SECRET}", "1:4"),
        (f"a: !{SECRET} x", "1:4"),
        (f"a: !!python/object/apply:os.system ['{SECRET}']", "1:4"),
        ("- a\n- b\n", "1:1"),
        ("just text", "1:1"),
        (f"a: 1\n---\nb: {SECRET}\n", "2:1"),
        (f"? [a, {SECRET}]\n: x\n", "1:3"),
        (f"a: \"{SECRET}\n\nb: c", ""),
        (f"a: {SECRET}\x01", "1:22"),
        ("a: " + "[" * 200, ""),
        ("a: " + "[" * 9_000, ""),
        ("a: " + "9" * 5_000, "1:4"),
        ("a: {<<: 3}", "1:9"),
        ("%YAML 9\n---\na", ""),
        ("a: &a [*a]", ""),
    ],
)  # fmt: skip
def test_a_broken_yaml_file_is_named_with_its_place_and_without_its_values(text: str, place: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        yaml(text)
    assert str(caught.value.place).startswith(f"/x/config.yaml:{place}")
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"a": }',
        f'{{"a": "{SECRET}',
        '{"a": 1} x',
        "[1]",
        "3",
        "00",
        "٣",
        '{"a": 1, "a": 2}',
        '{"a" 1}',
        "{a: 1}",
        '{"a": "\\q"}',
        '{"a": ' + "[" * 10_000,
        '{"a": ' + "1" * 5_000 + "}",
    ],
)
def test_a_broken_json_file_is_named_with_its_place_and_without_its_values(text: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        json_of(text)
    assert caught.value.place.line == 1
    assert SECRET not in str(caught.value)


def test_alias_bombs_end_early() -> None:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    with pytest.raises(UnreadableError, match="more than"):
        yaml("\n".join(lines))


def test_a_large_file_is_refused_without_being_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    with file.open("wb") as stream:
        stream.truncate(10 * 1024 * 1024)
    with pytest.raises(UnreadableError, match=f"{MAX_BYTES // 1024} KiB"):
        read_source(file, "user")


@pytest.mark.parametrize("kind", ["directory", "fifo", "dangling", "not_utf8", "device", "loop", "below_a_file"])
def test_whatever_is_no_text_file_is_refused_and_never_waited_for(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    if kind == "directory":
        file.mkdir()
    elif kind == "fifo":
        os.mkfifo(file)
    elif kind == "dangling":
        file.symlink_to(tmp_path / "nowhere")
    elif kind == "device":
        file.symlink_to("/dev/zero")
    elif kind == "loop":
        file.symlink_to(file)
    elif kind == "below_a_file":
        file.write_text("x")
        file = file / "config.yaml"
    else:
        file.write_bytes(b"a: b\nmodel: \xff\xfe\n")
    if kind in ("dangling", "below_a_file"):
        assert read_source(file, "user") is None
        return
    with pytest.raises(UnreadableError) as caught:
        read_source(file, "user")
    assert str(file) in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_says_so(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("model: a")
    file.chmod(stat.S_IWUSR)
    with pytest.raises(UnreadableError, match="Permission denied"):
        read_source(file, "user")


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(), JSON, max_size=4), st.sampled_from([None, 2, "\t"]))
def test_json_is_read_as_python_reads_it(value: dict[str, Any], indent: Any) -> None:
    for ascii_only in (True, False):
        assert json_of(json.dumps(value, indent=indent, ensure_ascii=ascii_only)).plain() == value


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_what_is_written_as_yaml_is_read_back(value: dict[str, Any]) -> None:
    assert yaml(dump_flow(value)).plain() == value
    assert yaml(dump_block(value, 0)).plain() == value


@settings(max_examples=300, deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    assert _outcome(yaml, text)
    assert _outcome(json_of, text)


def _outcome(parse: Callable[[str], Node], text: str) -> bool:
    try:
        return isinstance(parse(text).value, dict)
    except UnreadableError as error:
        return error.place.line is not None
