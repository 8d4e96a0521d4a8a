"""A session's changes can be taken back, without touching what the user did meanwhile."""

from pathlib import Path

import pytest

from mewcode.workspace.access import Access
from mewcode.workspace.checkpoints import Checkpoints
from mewcode.workspace.file_changes import FileWriter
from mewcode.workspace.files_read import FilesRead, digest_of
from mewcode.workspace.rewind import Fate, preview, rewind


@pytest.fixture
def checkpoints(tmp_path: Path) -> Checkpoints:
    return Checkpoints(tmp_path / "checkpoints")


@pytest.fixture
def writer(checkpoints: Checkpoints) -> FileWriter:
    return FileWriter(FilesRead(), checkpoints)


def edit(writer: FileWriter, access: Access, path: str, data: bytes, session: str = "s") -> None:
    """As edit_file does: whatever is there is replaced."""
    with access.locate(path, for_writing=True) as place:
        status = place.stat()
        assert status is not None
        writer.write_at(place, session, "call", path, data, place.path.read_bytes(), status)


def fates(results: tuple[object, ...]) -> dict[str, Fate]:
    return {result.path.name: result.fate for result in results}  # type: ignore[attr-defined]


def test_changed_files_are_restored_and_new_ones_removed(
    checkpoints: Checkpoints, writer: FileWriter, access: Access, workspace: Path
) -> None:
    (workspace / "src" / "main.py").chmod(0o755)
    edit(writer, access, "src/main.py", b"one")
    edit(writer, access, "src/main.py", b"two")
    writer.create_or_replace(access, "s", "call", "new/file.py", b"fresh")
    expected = {"main.py": Fate.RESTORED, "file.py": Fate.REMOVED}
    assert fates(preview(checkpoints, "s", 0, access)) == expected
    assert (workspace / "src" / "main.py").read_bytes() == b"two"
    assert fates(rewind(checkpoints, "s", 0, access)) == expected
    assert (workspace / "src" / "main.py").read_text() == "print('hello')\n"
    assert (workspace / "src" / "main.py").stat().st_mode & 0o777 == 0o755
    assert not (workspace / "new" / "file.py").exists()


def test_one_goes_back_to_a_position(
    checkpoints: Checkpoints, writer: FileWriter, access: Access, workspace: Path
) -> None:
    edit(writer, access, "src/main.py", b"one")
    position = checkpoints.position("s")
    edit(writer, access, "src/main.py", b"two")
    edit(writer, access, "src/deep/inner.py", b"three")
    rewind(checkpoints, "s", position, access)
    assert (workspace / "src" / "main.py").read_bytes() == b"one"
    assert (workspace / "src" / "deep" / "inner.py").read_text() == "inner = 1\n"


def test_what_the_user_changed_since_is_left_alone_and_reported(
    checkpoints: Checkpoints, writer: FileWriter, access: Access, workspace: Path
) -> None:
    edit(writer, access, "src/main.py", b"one")
    (workspace / "src" / "main.py").write_text("by hand")
    assert fates(rewind(checkpoints, "s", 0, access)) == {"main.py": Fate.CHANGED_SINCE}
    assert (workspace / "src" / "main.py").read_text() == "by hand"
    assert fates(rewind(checkpoints, "s", 0, access, force=True)) == {"main.py": Fate.RESTORED}
    assert (workspace / "src" / "main.py").read_text() == "print('hello')\n"


def test_a_rewind_can_be_taken_back(
    checkpoints: Checkpoints, writer: FileWriter, access: Access, workspace: Path
) -> None:
    edit(writer, access, "src/main.py", b"one")
    position = checkpoints.position("s")
    rewind(checkpoints, "s", 0, access)
    rewind(checkpoints, "s", position, access)
    assert (workspace / "src" / "main.py").read_bytes() == b"one"


def test_a_file_that_was_removed_by_a_rewind_comes_back(
    checkpoints: Checkpoints, writer: FileWriter, access: Access, workspace: Path
) -> None:
    writer.create_or_replace(access, "s", "call", "new.py", b"fresh")
    position = checkpoints.position("s")
    rewind(checkpoints, "s", 0, access)
    assert fates(rewind(checkpoints, "s", position, access)) == {"new.py": Fate.RESTORED}
    assert (workspace / "new.py").read_bytes() == b"fresh"


def test_a_link_in_the_place_of_a_file_does_not_lead_the_rewind_out(
    checkpoints: Checkpoints, writer: FileWriter, access: Access, workspace: Path, outside: Path
) -> None:
    edit(writer, access, "src/main.py", b"one")
    (workspace / "src" / "main.py").unlink()
    (workspace / "src" / "main.py").symlink_to(outside / "secret.txt")
    assert fates(rewind(checkpoints, "s", 0, access, force=True)) == {"main.py": Fate.LOST}
    assert (outside / "secret.txt").read_text() == "the secret outside"


def test_a_journal_that_was_cut_off_is_still_read(
    checkpoints: Checkpoints, writer: FileWriter, access: Access, tmp_path: Path
) -> None:
    edit(writer, access, "src/main.py", b"one")
    with (tmp_path / "checkpoints" / "sessions" / "s.jsonl").open("a") as journal:
        journal.write('\n{"step": "call", "pa')
    assert len(checkpoints.changes("s")) == 1
    edit(writer, access, "src/main.py", b"two")
    assert len(checkpoints.changes("s")) == 2


def test_only_the_user_can_look_into_what_is_kept(
    checkpoints: Checkpoints, writer: FileWriter, access: Access, tmp_path: Path
) -> None:
    edit(writer, access, "src/main.py", b"one")
    kept = [path for path in (tmp_path / "checkpoints").rglob("*") if path.is_file()]
    assert kept
    assert all(path.parent.stat().st_mode & 0o077 == 0 for path in kept)


def test_a_forgotten_session_leaves_only_what_others_need(
    checkpoints: Checkpoints, writer: FileWriter, access: Access, workspace: Path
) -> None:
    shared, own = (workspace / "src" / "main.py").read_bytes(), b"only this session saw it"
    edit(writer, access, "src/main.py", own)
    edit(writer, access, "src/main.py", shared)
    edit(writer, access, "src/main.py", b"the end", session="other")
    checkpoints.forget("s")
    assert checkpoints.changes("s") == ()
    assert checkpoints.contents.get(digest_of(own)) is None
    assert fates(rewind(checkpoints, "other", 0, access)) == {"main.py": Fate.RESTORED}
    assert (workspace / "src" / "main.py").read_bytes() == shared
