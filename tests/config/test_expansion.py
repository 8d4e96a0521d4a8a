"""${VAR}, ${VAR:-default} and ${file:PATH}."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.config.expand_tree import read_secret_file
from mewcode.config.expansion import Expanded, ExpansionError, expand, wanted

ENVIRON = {"TOKEN": "secret", "EMPTY": "", "NESTED": "${TOKEN}"}


def no_file(path: str) -> str:
    return f"<{path}>"


@pytest.mark.parametrize(
    ("text", "expected", "secrets"),
    [
        ("Bearer ${TOKEN}", "Bearer secret", ("secret",)),
        ("${MISSING:-x}", "x", ()),
        ("${MISSING:-}", "", ()),
        ("${EMPTY:-x}", "x", ()),
        ("${EMPTY}", "", ("",)),
        ("${NESTED}", "${TOKEN}", ("${TOKEN}",)),
        ("${file:~/key}!", "<~/key>!", ("<~/key>",)),
        ("$${TOKEN}", "${TOKEN}", ()),
        ("$TOKEN $5 $$ {x}", "$TOKEN $5 $$ {x}", ()),
        ("${TOKEN}${TOKEN}", "secretsecret", ("secret", "secret")),
    ],
)
def test_references_become_values(text: str, expected: str, secrets: tuple[str, ...]) -> None:
    assert expand(text, ENVIRON, no_file) == Expanded(expected, secrets)


def test_a_variable_that_is_not_set_is_named() -> None:
    with pytest.raises(ExpansionError) as caught:
        expand("a ${GITHUB_TOKEN} b", {}, no_file)
    assert (caught.value.kind, caught.value.name) == ("unset", "GITHUB_TOKEN")


@pytest.mark.parametrize("text", ["${", "${TOKEN", "${to ken}", "${}", "${1A}", "x ${file:}"])
def test_a_reference_that_is_none_is_an_error_not_text(text: str) -> None:
    with pytest.raises(ExpansionError) as caught:
        expand(text, ENVIRON, no_file)
    assert caught.value.kind == "syntax"


def test_what_a_text_would_read_is_known_without_reading() -> None:
    found = wanted("${A} ${B:-c} ${file:/etc/x} ${A} $${D}")
    assert (found.variables, found.files) == (("A", "B"), ("/etc/x",))


NAMES = st.from_regex(r"[A-Z_][A-Z0-9_]{0,6}", fullmatch=True)


@given(
    st.dictionaries(NAMES, st.text(min_size=1), max_size=4),
    st.lists(st.text().filter(lambda t: "$" not in t), min_size=1),
)
def test_text_around_references_stays_and_values_are_not_expanded_again(
    environ: dict[str, str], parts: list[str]
) -> None:
    names = list(environ)
    text = "".join(part + (f"${{{names[i % len(names)]}}}" if names else "") for i, part in enumerate(parts))
    expected = "".join(part + (environ[names[i % len(names)]] if names else "") for i, part in enumerate(parts))
    assert expand(text, environ, no_file).text == expected


@given(st.text("${}:-aA/file$ "))
def test_any_text_expands_or_says_why(text: str) -> None:
    try:
        assert "${A}" not in expand(text, {"A": "1"}, no_file).text or "$${A}" in text
    except ExpansionError as error:
        assert error.kind in ("unset", "syntax")


def test_a_secret_file_loses_only_its_last_line_end(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("a\nb\n")
    assert read_secret_file("key", tmp_path, {}) == "a\nb"
    assert read_secret_file("~/key", Path("/"), {"HOME": str(tmp_path)}) == "a\nb"


@pytest.mark.parametrize("kind", ["missing", "directory", "large", "binary", "endless"])
def test_a_secret_file_that_cannot_be_used_is_named(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "key"
    if kind == "directory":
        file.mkdir()
    elif kind == "large":
        file.write_bytes(b"x" * 100_000)
    elif kind == "binary":
        file.write_bytes(b"\xff\xfe")
    elif kind == "endless":
        file.symlink_to("/dev/zero")
    with pytest.raises(ExpansionError) as caught:
        read_secret_file("key", tmp_path, {})
    assert (caught.value.kind, caught.value.name) == ("file", "key")
    assert caught.value.reason
