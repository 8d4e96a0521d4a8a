"""From a server's answer to a result, and what is taken out of texts."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.calls import Audio, EmbeddedResource, ErrorKind, Image, ResourceLink, Text, Trust
from mewcode.mcp.clean import SLICE, clean, cut
from mewcode.mcp.output_schema import mismatch
from mewcode.mcp.repair import WIRE, mend
from mewcode.mcp.results import tool_result


def content_of(*blocks: Any) -> tuple[Any, ...]:
    return tool_result({"content": list(blocks)}, "s", "t").content


def test_every_kind_of_block_arrives() -> None:
    assert content_of(
        {"type": "text", "text": "words"},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "file:///a", "name": "a", "mimeType": "text/plain"},
        {"type": "resource", "resource": {"uri": "file:///b", "text": "inside"}},
        {"type": "resource", "resource": {"uri": "file:///c", "blob": "AAAA"}},
    ) == (
        Text("words"),
        Image(b"\0\0\0", "image/png"),
        Audio(b"\0\0\0", "audio/wav"),
        ResourceLink("file:///a", "a", media_type="text/plain"),
        EmbeddedResource("file:///b", text="inside"),
        EmbeddedResource("file:///c", data=b"\0\0\0"),
    )


@pytest.mark.parametrize("block", [{"type": "video"}, {"type": "text"}, {"type": "image", "data": 7}, 7, None, "x", {}])
def test_a_block_that_makes_no_sense_is_shown_not_lost(block: Any) -> None:
    [shown] = content_of(block)
    assert shown.text.startswith("[a block of an unknown kind")


def test_structured_content_without_content_is_shown_as_json() -> None:
    result = tool_result({"structuredContent": {"a": 1}}, "s", "t")
    assert json.loads(result.text) == {"a": 1}
    assert result.structured == {"a": 1}


def test_what_is_for_machines_does_not_reach_the_model_and_the_answer_is_kept_as_it_came() -> None:
    answer = {"content": [{"type": "text", "text": "x", "_meta": {"a": 1}}], "_meta": {"secret": 1}, "vendor": True}
    result = tool_result(answer, "s", "t")
    assert "secret" not in repr(result.content)
    assert not result.meta
    assert result.wire is answer


def test_an_error_names_its_server_and_content_is_external() -> None:
    result = tool_result({"content": [{"type": "text", "text": "no"}], "isError": True}, "s", "t")
    assert result.error is not None
    assert (result.error.kind, result.error.server) == (ErrorKind.TOOL_ERROR, "s")
    assert result.trust is Trust.EXTERNAL
    assert (result.origin.server, result.origin.tool) == ("s", "t")


def test_terminal_sequences_and_hidden_characters_are_taken_out() -> None:
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "obey")
    text = f"a\x1b[31mred\x1b[0m\x1b]8;;http://x\x07link\x1b]8;;\x07\x00\x9b2J\u202eback{hidden}\tb\r\nc"
    assert clean(text) == "aredlinkback\tb\nc"


def test_a_long_text_is_cleaned_throughout() -> None:
    line = "x" * 99 + "\n"
    text = line * (3 * SLICE // 100) + "\x1b[31mend"
    assert clean(text) == line * (3 * SLICE // 100) + "end"


@given(st.text())
def test_cleaning_twice_changes_nothing_and_leaves_no_control_character(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert not [char for char in cleaned if ord(char) < 32 and char not in "\t\n"]


@given(st.text(), st.integers(0, 50))
def test_a_cut_text_is_still_text(text: str, longest: int) -> None:
    assert len(cut(text, longest).encode("utf-8", "replace")) <= max(longest + len(" […]".encode()), longest)


def test_a_result_that_does_not_fit_its_schema_is_named_and_hostile_patterns_are_not_run() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    assert mismatch(schema, {"a": 1}) is None
    assert "required" in (mismatch(schema, {}) or "")
    assert mismatch(schema, None)
    slow = {"type": "string", "pattern": "(a+)+$"}
    assert mismatch(slow, "a" * 50_000 + "!") is None
    assert mismatch({"type": "nonsense"}, {})
    assert mismatch({"$ref": "http://127.0.0.1:9/x"}, {}) is None


def test_a_property_called_pattern_is_a_property() -> None:
    schema = {"properties": {"pattern": {"type": "integer"}}}
    assert mismatch(schema, {"pattern": "x"}) is not None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)
METHODS = ["initialize", "server/discover", "tools/list", "tools/call", "resources/read", "prompts/get", "x/y"]


@given(st.sampled_from(METHODS), JSON)
def test_no_answer_makes_the_repair_fail(method: str, answer: Any) -> None:
    mended = mend(method, answer, lambda text: None)
    assert isinstance(mended, dict)


def test_one_bad_tool_does_not_cost_the_others() -> None:
    reports: list[str] = []
    good = {"name": "good", "inputSchema": {"type": "object"}}
    mended = mend(
        "tools/list", {"tools": [None, {"name": 7}, good, {"name": "odd", "inputSchema": []}]}, reports.append
    )
    assert [tool["name"] for tool in mended["tools"]] == ["good", "odd"]
    assert mended["tools"][0]["_meta"][WIRE] is not None
    assert len(reports) == 3
