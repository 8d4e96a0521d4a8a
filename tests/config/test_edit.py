"""Settings files are changed in place: everything that was not meant stays as it was."""

import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mewcode.config import edit
from mewcode.config.source_file import SourceText
from mewcode.config.yaml_dump import dump_flow
from mewcode.config.yaml_source import parse_yaml
from mewcode.config.yaml_text import append, put, remove
from mewcode.errors import SettingsError

COMMENTED = """\
# my settings
model: anthropic:claude   # the good one

mcp_servers:
  # about a
  a:
    command: npx   # node
    args: ["-y", "a"]
  # about b
  b:
    url: https://b.example/mcp

  # the end of servers
permissions:
- {rule: "read_file(*)", effect: allow}   # reading
# the end
"""


def loaded(text: str) -> Any:
    return parse_yaml(SourceText(text, Path("x.yaml"), "user")).plain()


def test_adding_a_server_keeps_comments_and_order(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(COMMENTED)
    edit.add_server(file, "c", {"command": "uvx", "args": ["mcp-server-time", "--tz=UTC"], "env": {"K": "${V}"}})
    after = file.read_text()
    added = [line for line in after.splitlines() if line not in COMMENTED.splitlines()]
    assert [line for line in after.splitlines() if line not in added] == COMMENTED.splitlines()
    assert loaded(after)["mcp_servers"]["c"] == {
        "command": "uvx",
        "args": ["mcp-server-time", "--tz=UTC"],
        "env": {"K": "${V}"},
    }
    assert list(loaded(after)["mcp_servers"]) == ["a", "b", "c"]


def test_removing_a_server_leaves_the_comment_of_the_next_one(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(COMMENTED)
    assert edit.remove_server(file, "a")
    assert "# about b\n  b:\n    url: https://b.example/mcp\n" in file.read_text()
    assert list(loaded(file.read_text())["mcp_servers"]) == ["b"]
    assert not edit.remove_server(file, "a")


def test_a_rule_is_appended_once_behind_the_others(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(COMMENTED)
    edit.append_rule(file, "run_command(git push *)", "ask")
    edit.append_rule(file, "run_command(git push *)", "ask")
    rules = loaded(file.read_text())["permissions"]
    assert [rule["rule"] for rule in rules] == ["read_file(*)", "run_command(git push *)"]
    assert file.read_text().endswith('# reading\n- {rule: "run_command(git push *)", effect: ask}\n# the end\n')


def test_the_first_edit_makes_a_file_for_this_user_only(tmp_path: Path) -> None:
    file = tmp_path / "home" / "config.yaml"
    edit.set_value(file, ("model",), "local:qwen")
    assert loaded(file.read_text()) == {"model": "local:qwen"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_an_existing_file_keeps_its_mode_and_a_linked_one_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.yaml"
    real.write_text("model: a\n")
    real.chmod(0o640)
    link = tmp_path / "config.yaml"
    link.symlink_to(real)
    edit.set_value(link, ("model",), "b")
    assert link.is_symlink()
    assert real.read_text() == "model: b\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_enabling_changes_one_word(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(COMMENTED)
    assert edit.set_server_enabled(file, "b", False)
    assert edit.set_server_enabled(file, "b", True)
    assert loaded(file.read_text())["mcp_servers"]["b"] == {"url": "https://b.example/mcp", "enabled": True}
    assert "# the end of servers" in file.read_text()
    assert not edit.set_server_enabled(file, "nobody", True)


def test_line_ends_and_byte_order_mark_stay(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_bytes(b"\xef\xbb\xbfmodel: a\r\nmode: plan\r\n")
    edit.set_value(file, ("model",), "b")
    assert file.read_bytes() == b"\xef\xbb\xbfmodel: b\r\nmode: plan\r\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {"mcp_servers": {"n": {"command": "x"}}}),
        ("# only a comment", {"mcp_servers": {"n": {"command": "x"}}}),
        ("mcp_servers:\nmodel: m\n", {"mcp_servers": {"n": {"command": "x"}}, "model": "m"}),
        ("mcp_servers: {}\nmodel: m\n", {"mcp_servers": {"n": {"command": "x"}}, "model": "m"}),
        ("mcp_servers: {a: {command: y}}  # c\n", {"mcp_servers": {"a": {"command": "y"}, "n": {"command": "x"}}}),
        ("mcp_servers: {\n  a: {command: y},\n}\n", {"mcp_servers": {"a": {"command": "y"}, "n": {"command": "x"}}}),
        ("{model: m}", {"model": "m", "mcp_servers": {"n": {"command": "x"}}}),
        (
            "mcp_servers:\n  n:\n    url: http://x\n  b: {command: z}\n",
            {"mcp_servers": {"n": {"command": "x"}, "b": {"command": "z"}}},
        ),
        (
            "mcp_servers:\n    a:\n        command: |\n            y\n\nmodel: m",
            {"mcp_servers": {"a": {"command": "y\n"}, "n": {"command": "x"}}, "model": "m"},
        ),
        (
            "mcp_servers:\n  a: &a {command: y}\n  b: *a\n",
            {"mcp_servers": {"a": {"command": "y"}, "b": {"command": "y"}, "n": {"command": "x"}}},
        ),
    ],
)
def test_a_server_fits_into_every_shape_of_file(text: str, expected: Any, tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(text)
    try:
        edit.add_server(file, "n", {"command": "x"})
    except SettingsError:
        assert "*a" in text
        assert file.read_text() == text
    else:
        assert loaded(file.read_text()) == expected


def test_a_broken_file_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("model: [a\nmode: plan\n")
    with pytest.raises(SettingsError, match=r"config\.yaml:\d+:\d+"):
        edit.set_value(file, ("model",), "b")
    assert file.read_text() == "model: [a\nmode: plan\n"


NAMES = st.text("abcdef-_.: #'\"*&{}[]!%@`", min_size=1, max_size=8).filter(lambda name: name.strip() == name)
VALUES = st.one_of(st.text(max_size=12).filter(str.isprintable), st.booleans(), st.integers(-9, 9))
TREES = st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, max_size=3), max_size=4)


@settings(max_examples=150, deadline=None)
@given(tree=TREES, name=NAMES, key=NAMES, value=VALUES, flow=st.booleans())
def test_put_and_remove_change_what_they_name_and_nothing_else(
    tree: dict[str, Any], name: str, key: str, value: Any, flow: bool
) -> None:
    text = put("", ("top",), tree) if not flow else f"top: {dump_flow(tree)}\n"
    text += "after: 1 # kept\n"
    changed = put(text, ("top", name, key), value)
    expected = {**tree, name: {**tree.get(name, {}), key: value}}
    assert loaded(changed) == {"top": expected, "after": 1}
    assert changed.endswith("after: 1 # kept\n")
    gone = remove(changed, ("top", name))
    rest = {k: v for k, v in tree.items() if k != name}
    assert (loaded(gone)["top"] or {}) == rest
    assert loaded(append(changed, ("list",), {"v": value}))["list"] == [{"v": value}]
