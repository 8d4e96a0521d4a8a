"""Small parts of the screen."""

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from mewcode.messages.areas.terminal import MESSAGES
from mewcode.terminal.diffs import diff_lines, paint_diff
from mewcode.terminal.file_names import FileNames
from mewcode.terminal.form_fields import fields_of
from mewcode.terminal.hints import hints_of
from mewcode.terminal.ink import Ink, choose_ink
from mewcode.terminal.layout import pieces_of
from mewcode.terminal.live import Live, RunningCall
from mewcode.terminal.markdown import render_markdown, render_tail
from mewcode.terminal.pastes import Pastes
from mewcode.terminal.project_commands import expanded, project_commands
from mewcode.terminal.status import Status
from mewcode.terminal.width import cut, cut_start, fold, wrap

WIDE = st.text(alphabet="ab 王👋é-/\n")


@given(WIDE.map(lambda text: text.replace("\n", "")), st.integers(2, 30))
def test_a_cut_line_fits(text: str, cells: int) -> None:
    assert get_cwidth(cut(text, cells)) <= cells
    assert get_cwidth(cut_start(text, cells)) <= cells


@given(WIDE, st.integers(10, 40))
def test_wrapped_prose_fits_where_words_do_and_loses_no_letter(text: str, cells: int) -> None:
    wrapped = wrap(text, cells)
    assert "".join(wrapped.split()) == "".join(text.split())
    for line in wrapped.split("\n"):
        assert get_cwidth(line) <= cells or " " not in line.strip()


def test_items_are_folded_between_each_other() -> None:
    assert fold(["one", "two", "three"], 9) == "one · two\nthree"


@pytest.mark.parametrize("code", MESSAGES)
def test_every_message_is_there_in_both_languages_with_the_same_places(code: str) -> None:
    english, chinese = MESSAGES[code]
    assert english and chinese
    fields = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in (english, chinese)]
    assert fields[0] == fields[1]


def test_every_message_that_the_code_names_exists() -> None:
    import re

    import mewcode.terminal

    folder = Path(str(mewcode.terminal.__file__)).parent
    named = {found for path in folder.rglob("*.py") for found in re.findall(r'"(terminal\.[a-z_]+)"', path.read_text())}
    assert named - set(MESSAGES) == set()


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_status_line_fits_and_keeps_the_mode(width: int) -> None:
    from collections import Counter

    status = Status("accept-edits", "provider:a-rather-long-model-name", 5000, 200_000, 12_345, 1.5)
    status.servers, status.branch, status.jobs = Counter(ready=3, failed=1), "feature/a-long-branch", 2
    text = "".join(piece[1] for piece in status.fragments(width))
    assert get_cwidth(text) <= width
    assert "accept edits" in text
    assert ("mcp 3/4" in text) is (width > 40)


def test_a_diff_has_line_numbers_context_and_fits() -> None:
    before = "".join(f"line {n}\n" for n in range(1, 21))
    lines = diff_lines(before, before.replace("line 10\n", "-- ten --\n" + "王" * 60 + "\n"))
    shown = paint_diff(lines, 40, Ink(colour=False)).split("\n")
    assert "   10 - line 10" in shown and "   10 + -- ten --" in shown
    assert all(get_cwidth(line.replace("\x1b[2m", "").replace("\x1b[0m", "")) <= 40 for line in shown)


def test_a_long_diff_says_how_much_is_left() -> None:
    shown = paint_diff(diff_lines("", "x\n" * 100), 80, Ink(colour=False))
    assert "+61" in shown


def test_without_colour_nothing_is_coloured() -> None:
    ink = choose_ink("auto", {"NO_COLOR": "1"})
    assert render_markdown("# a\n\n`b`\n\n```python\nx = 1\n```", 40, ink).count("\x1b[3") == 0
    assert ink.paint("x", "bad") == "x"


def test_light_is_chosen_by_what_the_terminal_says() -> None:
    assert choose_ink("auto", {"COLORFGBG": "0;15"}).name == "light"
    assert choose_ink("auto", {"COLORFGBG": "15;0"}).name == "dark"
    assert choose_ink("light", {}).name == "light"


def test_a_link_shows_where_it_leads() -> None:
    assert "https://evil.example" in render_markdown("[good](https://evil.example)", 80, Ink())


def test_what_looks_like_a_tag_is_text() -> None:
    rendered = render_markdown("Use Option<T>, not <b>this</b>.\n\n<div>block</div>", 80, Ink(colour=False))
    assert "Option<T>" in rendered and "<b>this</b>" in rendered and "<div>block</div>" in rendered


def test_wide_table_cells_stay_aligned() -> None:
    rendered = render_markdown("| a | b |\n|---|---|\n| 王王 | x |\n| c | y |", 60, Ink(colour=False))
    columns = {
        line.index(mark) + (2 if "王" in line else 0) for line in rendered.split("\n") for mark in "xy" if mark in line
    }
    assert len(columns) == 1


def test_a_paste_comes_back_whole() -> None:
    pastes = Pastes()
    long = "\n".join(map(str, range(50)))
    shown = pastes.shorten(long)
    assert "\n" not in shown and "50" in shown
    assert pastes.expand(f"a {shown} b {shown}") == f"a {long} b {long}"
    assert pastes.shorten("short\r\ntext") == "short\ntext"


def test_live_output_keeps_the_newest_lines_and_obeys_carriage_returns() -> None:
    live = Live()
    live.calls["1"] = call = RunningCall("run_command x")
    call.add_output("".join(f"l{n}\n" for n in range(20)) + "10%\r20%\r30%")
    text = "".join(piece[1] for piece in live.fragments(40, 20))
    assert "l19" in text and "l1\n" not in text and "30%" in text and "10%" not in text


def test_progress_is_a_bar_with_what_the_server_says_and_calls_stand_side_by_side() -> None:
    live = Live()
    live.calls = {"1": RunningCall("notes: first"), "2": RunningCall("notes: second")}
    live.calls["1"].progress = (1.0, 4.0, "loading 王")
    live.calls["2"].progress = (7.0, None, None)
    lines = "".join(piece[1] for piece in live.fragments(60, 20)).split("\n")
    assert "notes: first" in lines[0] and "━━━━──" in lines[1] and "25% loading 王" in lines[1]
    assert "notes: second" in lines[2] and lines[3].strip() == "7"


def test_a_growing_paragraph_breaks_its_lines_elsewhere_only_seldom() -> None:
    words = [f"word{number}" for number in range(1000)]
    texts = [" ".join(words[:count]) for count in range(700, 1000)]
    shown = [render_tail(text, 40, Ink(colour=False), 6).split("\n") for text in texts]
    assert all(len(lines) >= 6 for lines in shown)
    assert len({lines[0] for lines in shown}) < 30


def test_what_is_drawn_for_each_key_is_in_few_pieces() -> None:
    rendered = render_markdown("Some **bold** words. " * 40, 80, Ink())
    pieces = pieces_of(rendered)
    assert len(pieces) < 120 < len(rendered)
    assert "".join(piece[1] for piece in pieces).startswith("Some bold words. Some bold")


@pytest.mark.parametrize(
    ("config", "theme", "vi"),
    [
        ("ui: {theme: plain, keys: vi}", "plain", True),
        ("model: x\nui:\n  theme: light  # mine\n  keys: emacs\n", "light", False),
        ("other: {theme: plain}\n", "auto", False),
        ("ui:\nmodel: x\ntheme: plain\n", "auto", False),
        ("\x00\xff", "auto", False),
    ],
)
def test_the_first_frame_knows_theme_and_keys(tmp_path: Path, config: str, theme: str, vi: bool) -> None:
    (tmp_path / "config.yaml").write_text(config)
    hints = hints_of({"MEWCODE_HOME": str(tmp_path)})
    assert (hints.theme, hints.vi) == (theme, vi)


def test_files_are_found_by_name_first_and_ignored_ones_are_not(tmp_path: Path) -> None:
    import subprocess

    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for name in ("src/user.py", "src/users/model.py", "docs/about user.md", "build/user.o"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / ".gitignore").write_text("build/\n")
    found = FileNames(tmp_path).matching("user")
    assert found[0] == "src/user.py" and "docs/about user.md" in found and "src/users/" in found
    assert not any("build" in name for name in found)
    assert FileNames(tmp_path).matching("srcusrpy")[0] == "src/user.py"


def test_project_commands_take_arguments(tmp_path: Path) -> None:
    folder = tmp_path / ".mewcode" / "commands"
    folder.mkdir(parents=True)
    (folder / "fix.md").write_text("---\ndescription: Fix a bug\n---\nFix $1 in $ARGUMENTS\x1b[2J")
    (folder / "../evil.md").write_text("no")
    (folder / "Bad Name.md").write_text("no")
    known = project_commands(tmp_path)
    assert list(known) == ["fix"] and known["fix"].about == "Fix a bug"
    assert expanded(known["fix"], "7 now") == "Fix 7 in 7 now"


FORM = {
    "type": "object",
    "required": ["age"],
    "properties": {
        "age": {"type": "integer", "minimum": 1, "maximum": 9},
        "mail": {"type": "string", "format": "email"},
        "ok": {"type": "boolean", "default": True},
        "colour": {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]},
        "many": {"type": "array", "items": {"anyOf": [{"const": "1", "title": "One"}, {"const": "2", "title": "Two"}]}},
    },
}


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [("age", "5", 5), ("mail", "a@b.c", "a@b.c"), ("ok", "no", False), ("colour", "2", "g"), ("colour", "Red", "r"),
     ("many", "1, Two", ["1", "2"]), ("mail", "", None)],
)  # fmt: skip
def test_a_form_takes_what_fits(field: str, typed: str, value: object) -> None:
    fields = {one.name: one for one in fields_of(FORM)}
    assert fields[field].parse(typed) == (value, None)


@pytest.mark.parametrize(
    ("field", "typed"), [("age", "0"), ("age", "x"), ("age", ""), ("mail", "nobody"), ("ok", "maybe"), ("colour", "3")]
)
def test_a_form_says_what_is_wrong(field: str, typed: str) -> None:
    fields = {one.name: one for one in fields_of(FORM)}
    value, problem = fields[field].parse(typed)
    assert value is None and problem
