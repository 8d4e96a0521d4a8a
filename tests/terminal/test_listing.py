"""What commands print: columns that say something, and names that can be told apart."""

from types import SimpleNamespace
from typing import Any

import pytest

from mewcode.terminal.call_lines import todo_title, without_exit_line
from mewcode.terminal.commands.listing import print_rows
from mewcode.terminal.ink import Ink
from mewcode.terminal.status import Status

ROWS = [("read_file", "", "ok"), ("write_file", "", "odd")]


def printed(width: int, rows: list[tuple[str, ...]], ink: Ink, meanings: Any = (), **options: Any) -> list[str]:
    lines: list[str] = []
    screen = SimpleNamespace(width=width, ink=ink, print=lambda text: lines.extend(text.split("\n")))
    print_rows(SimpleNamespace(screen=screen), rows, meanings, **options)  # type: ignore[arg-type]
    return lines


def test_a_column_in_which_nothing_stands_is_left_out() -> None:
    assert printed(80, ROWS, Ink(plain=True)) == ["  read_file   ok", "  write_file  odd"]


def test_a_column_is_coloured_by_what_stands_in_it() -> None:
    first, second = printed(80, ROWS, Ink(), (None, None, {"ok": "ok", "": "bad"}))
    assert "\x1b[32mok" in first and "\x1b[31modd" in second


def test_of_a_path_that_is_too_long_the_end_is_kept() -> None:
    (line,) = printed(40, [("key", "/a/very/long/path/of/some/config.yaml:17")], Ink(plain=True), keep_end=True)[1:]
    assert line.endswith("config.yaml:17") and "…" in line


@pytest.mark.parametrize(("name", "shown"), [("ollama:qwen3:8b", "qwen3:8b"), ("fake:m", "m"), ("plain", "plain")])
def test_the_status_line_names_the_model_with_its_size(name: str, shown: str) -> None:
    status = Status(model=name)
    assert f" · {shown}" in "".join(piece[1] for piece in status.fragments(80))


def test_a_list_of_steps_is_one_line_that_says_how_far_it_is() -> None:
    steps = [{"content": "Look", "status": "done"}, {"content": "Mend\nit", "status": "in_progress"}, {}]
    assert todo_title(steps) == "todo 1/3 Mend it"


def test_only_a_command_that_failed_shows_its_exit_code() -> None:
    assert without_exit_line("out\n[Exit code 0, 0.2 s.]") == "out"
    assert without_exit_line("out\n[Exit code 3, 0.2 s.]") == "out\n[Exit code 3, 0.2 s.]"
