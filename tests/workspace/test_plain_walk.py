"""Where there are no directory descriptors, paths are still held to their roots."""

import os
import unicodedata
from pathlib import Path

import pytest

from mewcode.errors import WorkspaceError
from mewcode.workspace import access as access_module
from mewcode.workspace import plain_walk as plain_walk_module
from mewcode.workspace import real_names
from mewcode.workspace.access import Access
from mewcode.workspace.opening import open_file
from mewcode.workspace.scope_errors import OutOfScopeError
from mewcode.workspace.writing import replace_file


@pytest.fixture(autouse=True)
def without_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_module, "HAS_DIRECTORY_DESCRIPTORS", False)


def test_files_are_read_and_written(access: Access, workspace: Path) -> None:
    with open_file(access, "src/../src/main.py") as file:
        assert os.read(file.descriptor, 100) == b"print('hello')\n"
    with access.locate("new/deep/a.py", for_writing=True) as place:
        replace_file(place, b"x", "new/deep/a.py")
    assert (workspace / "new/deep/a.py").read_bytes() == b"x"
    assert access.resolve(".").path == workspace


@pytest.mark.parametrize("text", ["../outside/secret.txt", "link/secret.txt", "/etc/passwd", "src/../../outside"])
def test_what_lies_outside_is_refused(access: Access, workspace: Path, outside: Path, text: str) -> None:
    (workspace / "link").symlink_to(outside)
    with pytest.raises(OutOfScopeError):
        access.resolve(text)


@pytest.mark.parametrize("text", ["NUL", "com1.txt", "src/aux", "a.txt:stream", "name.", "name ", "\\\\?\\C:\\x"])
def test_names_that_mean_something_else_on_windows_are_refused(
    access: Access, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    class Windows:
        name = "nt"
        path = os.path

    monkeypatch.setattr(plain_walk_module, "os", Windows)
    with pytest.raises(WorkspaceError, match="not a usable path"):
        access.resolve(text)


@pytest.mark.parametrize("spelled", ["SECRET.TXT", "Secret.txt"])
def test_where_case_does_not_matter_the_name_on_disk_counts(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, spelled: str
) -> None:
    """A file system that folds case is not at hand everywhere; only its answer to `stat` is made up here."""
    (workspace / "secret.txt").write_text("x")
    monkeypatch.setattr(real_names, "_same", lambda *_: True)
    directory = os.open(workspace, os.O_RDONLY)
    try:
        status = (workspace / "secret.txt").stat()
        assert real_names.real_name(directory, spelled, status) == "secret.txt"
        assert real_names.real_name(directory, unicodedata.normalize("NFD", "secret.txt"), status) == "secret.txt"
    finally:
        os.close(directory)
