"""Pictures that go along with a message."""

from pathlib import Path

import pytest

from mewcode.calls import Image
from mewcode.terminal.images import clipboard_commands, image_of, pasted_file
from mewcode.terminal.pastes import Pastes

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 2000


@pytest.mark.parametrize("form", ["{}", "'{}'", '"{}"', "file://{}", " {} "])
def test_the_path_of_a_picture_that_is_dropped_on_the_terminal_is_the_picture(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a shot.png"
    path.write_bytes(PNG)
    assert pasted_file(form.format(path)) == Image(PNG, "image/png")
    assert pasted_file(str(path).replace(" ", "\\ ")) == Image(PNG, "image/png")


def test_any_other_text_stays_text(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "real.png").write_bytes(PNG)
    for text in (str(tmp_path / "text.png"), str(tmp_path / "none.png"), "real.png", f"see {tmp_path}/real.png\nthere"):
        assert pasted_file(text) is None


def test_what_no_model_takes_is_no_picture() -> None:
    assert image_of(b"\xff\xd8\xff" + b"x") == Image(b"\xff\xd8\xffx", "image/jpeg")
    assert image_of(b"BM......") is None
    assert image_of(PNG + b"0" * (5 << 20)) is None


def test_a_picture_goes_along_for_as_long_as_its_placeholder_stands() -> None:
    pastes = Pastes()
    placeholder = pastes.hold(Image(PNG, "image/png"))
    assert "PNG" in placeholder
    assert pastes.images_in(f"what is {placeholder}?") == (Image(PNG, "image/png"),)
    assert pastes.images_in("what is it?") == ()


def test_without_a_desktop_there_is_no_clipboard_to_ask() -> None:
    assert clipboard_commands({}) == [] or __import__("sys").platform == "darwin"
