"""Lines that were sent before."""

from pathlib import Path

from prompt_toolkit.history import FileHistory

from mewcode.terminal.history import open_history, trim_history


def lines_in(path: Path) -> list[str]:
    return list(FileHistory(str(path)).load_history_strings())


def filled(path: Path, count: int) -> None:
    history = open_history(path)
    for number in range(count):
        history.append_string(f"line {number}\n# not a time\n+second")


def test_the_newest_lines_are_kept_whole(tmp_path: Path) -> None:
    path = tmp_path / "history"
    filled(path, 10)
    trim_history(path, 3)
    assert lines_in(path) == [f"line {number}\n# not a time\n+second" for number in (9, 8, 7)]
    assert path.stat().st_mode & 0o777 == 0o600


def test_as_many_as_are_wanted_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "history"
    filled(path, 3)
    before = path.read_bytes()
    trim_history(path, 3)
    assert path.read_bytes() == before


def test_none_are_kept_where_none_are_wanted(tmp_path: Path) -> None:
    path = tmp_path / "history"
    filled(path, 3)
    trim_history(path, 0)
    assert lines_in(path) == []


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("x")
    (tmp_path / "history").symlink_to(target)
    open_history(tmp_path / "history").append_string("secret")
    assert target.read_text() == "x"
