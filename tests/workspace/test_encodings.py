"""Text is told from binary data, and its encoding found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.workspace.encodings import detect

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 8
CHINESE = "这是一个用于检测文本编码的例子，里面有足够多的汉字可以判断。" * 8


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32", "utf-8"])
@pytest.mark.parametrize("text", ["plain text\n", RUSSIAN, CHINESE])
def test_unicode_is_decoded_with_and_without_a_mark(codec: str, text: str) -> None:
    data = text.encode(codec)
    found = detect(data, whole=True)
    assert found is not None
    assert data[len(found.mark) :].decode(found.name) == text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_text(codec: str) -> None:
    found = detect("some ordinary text, long enough\n".encode(codec), whole=True)
    assert found is not None
    assert found.name == codec


@pytest.mark.parametrize(
    ("codec", "text"), [("gb18030", CHINESE), ("cp1251", RUSSIAN), ("shift_jis", "日本語の文章です。" * 20)]
)
def test_older_encodings_are_recognised(codec: str, text: str) -> None:
    data = text.encode(codec)
    found = detect(data, whole=True)
    assert found is not None
    assert data.decode(found.name) == text


def test_a_little_latin_1_is_text() -> None:
    found = detect("Straße nach Köln, für später\n".encode("latin-1"), whole=True)
    assert found is not None
    assert not found.name.startswith("utf")


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0",
        b"\0" * 100,
        bytes(range(256)),
        b"\x01\x02\x03\x04\x05\x06" * 10,
        b"PK\x03\x04\x14\0\0\0",
    ],
)
def test_binary_data_are_no_text(data: bytes) -> None:
    assert detect(data, whole=True) is None


def test_a_character_cut_in_two_at_the_end_of_the_sample_is_no_error() -> None:
    data = ("é" * 100).encode()
    found = detect(data[:-1], whole=False)
    assert found is not None
    assert found.name == "utf-8"


def test_an_empty_file_is_text() -> None:
    assert detect(b"", whole=True) is not None


@given(st.binary(max_size=300))
def test_whatever_the_bytes_are_the_answer_can_be_decoded_or_is_binary(data: bytes) -> None:
    found = detect(data, whole=True)
    if found is not None:
        data[len(found.mark) :].decode(found.name, "replace")
