"""A file is replaced whole or not at all, and keeps what is not its content."""

import os
import stat
import sys
from pathlib import Path

import pytest

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.file_changes import FileWriter
from mewcode.workspace.files_read import FilesRead, Seen, digest_of, digest_of_file
from mewcode.workspace.opening import open_file
from mewcode.workspace.writing import replace_file

posix = pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's")


def write(access: Access, path: str, data: bytes) -> None:
    with access.locate(path, for_writing=True) as place:
        replace_file(place, data, path)


def look_at(seen: FilesRead, access: Access, path: str, session: str = "s") -> None:
    with open_file(access, path) as file:
        seen.record(session, file.path, Seen.of(file.status, digest_of_file(file.descriptor, file.size)))


@posix
@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o664])
def test_the_mode_is_kept(access: Access, workspace: Path, mode: int) -> None:
    path = workspace / "src" / "main.py"
    path.chmod(mode)
    write(access, "src/main.py", b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_bytes() == b"new"


@posix
def test_a_new_file_gets_the_mode_that_the_umask_leaves(access: Access, workspace: Path) -> None:
    (workspace / "made by hand").write_text("x")
    write(access, "a/b/new.py", b"x")
    expected = (workspace / "made by hand").stat().st_mode
    assert (workspace / "a/b/new.py").stat().st_mode == expected


@posix
def test_a_write_protected_file_is_left_alone(access: Access, workspace: Path) -> None:
    (workspace / "src" / "main.py").chmod(0o444)
    with pytest.raises(WorkspaceError, match="write-protected"):
        write(access, "src/main.py", b"new")


def test_no_temporary_file_is_left_when_it_fails(
    access: Access, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WorkspaceError, match="No space left"):
        write(access, "src/main.py", b"new")
    assert sorted(path.name for path in (workspace / "src").iterdir()) == ["deep", "main.py"]
    assert (workspace / "src" / "main.py").read_text() == "print('hello')\n"


@posix
def test_another_name_of_the_file_outside_keeps_its_content(access: Access, workspace: Path, outside: Path) -> None:
    os.link(outside / "secret.txt", workspace / "hard.txt")
    write(access, "hard.txt", b"new")
    assert (outside / "secret.txt").read_text() == "the secret outside"


@posix
def test_a_link_inside_stays_a_link_and_its_target_is_written(access: Access, workspace: Path) -> None:
    (workspace / "link.py").symlink_to("src/main.py")
    write(access, "link.py", b"new")
    assert (workspace / "link.py").is_symlink()
    assert (workspace / "src" / "main.py").read_bytes() == b"new"


@pytest.mark.parametrize("path", ["src", "src/main.py/x"])
def test_a_directory_is_not_replaced(access: Access, path: str) -> None:
    with pytest.raises(WorkspaceError):
        write(access, path, b"x")


def test_a_file_is_only_replaced_by_a_session_that_read_it(access: Access) -> None:
    seen = FilesRead()
    writer = FileWriter(seen)
    with pytest.raises(WorkspaceError, match="not read in this session"):
        writer.create_or_replace(access, "s", "1", "src/main.py", b"new")
    look_at(seen, access, "src/main.py", session="another")
    with pytest.raises(WorkspaceError, match="not read in this session"):
        writer.create_or_replace(access, "s", "1", "src/main.py", b"new")
    look_at(seen, access, "src/main.py")
    written = writer.create_or_replace(access, "s", "1", "src/main.py", b"new")
    assert written.before == digest_of(b"print('hello')\n")
    assert written.after == digest_of(b"new")


def test_a_file_that_changed_since_is_not_replaced(access: Access, workspace: Path) -> None:
    seen = FilesRead()
    writer = FileWriter(seen)
    look_at(seen, access, "src/main.py")
    (workspace / "src" / "main.py").write_text("by hand")
    with pytest.raises(WorkspaceError, match="changed since"):
        writer.create_or_replace(access, "s", "1", "src/main.py", b"new")
    assert (workspace / "src" / "main.py").read_text() == "by hand"


def test_a_file_that_was_only_touched_is_the_same(access: Access, workspace: Path) -> None:
    seen = FilesRead()
    look_at(seen, access, "src/main.py")
    os.utime(workspace / "src" / "main.py", (1, 1))
    FileWriter(seen).create_or_replace(access, "s", "1", "src/main.py", b"new")


def test_what_the_session_wrote_it_may_write_again(access: Access) -> None:
    writer = FileWriter(FilesRead())
    for number in range(3):
        writer.create_or_replace(access, "s", "1", "fresh.txt", b"x" * number)


def test_a_file_that_changes_between_reading_and_writing_is_not_replaced(access: Access, workspace: Path) -> None:
    writer = FileWriter(FilesRead())
    with access.locate("src/main.py", for_writing=True) as place:
        status = place.stat()
        assert status is not None
        (workspace / "src" / "main.py").write_text("somebody was quicker")
        with pytest.raises(WorkspaceError, match="changed while"):
            writer.write_at(place, "s", "1", "src/main.py", b"new", b"print('hello')\n", status)
