"""A link that is put in the place of a directory or file between the check and the use leads nowhere."""

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.workspace.conftest import SECRET

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.opening import open_file
from mewcode.workspace.writing import replace_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no directory descriptors")
ROUNDS = 800


@contextmanager
def meanwhile(action: Callable[[], None]) -> Iterator[None]:
    """Repeats `action` in a thread for as long as the `with` lasts."""
    over = threading.Event()

    def repeat() -> None:
        while not over.is_set():
            action()

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def swapper(here: Path, outside: Path) -> Callable[[], None]:
    """Exchanges `here` for a link to `outside` and back, by renaming: there is hardly a moment with neither."""
    aside, link = here.with_name("aside"), here.with_name("link")
    link.symlink_to(outside)

    def swap() -> None:
        here.rename(aside)
        with suppress(OSError):  # the test made a new one in the moment when it was away
            link.rename(here)
            here.rename(link)
        while aside.is_dir() or aside.is_file():
            with suppress(OSError):
                aside.rename(here)
                break
            shutil.rmtree(here, ignore_errors=True)

    return swap


def read_once(access: Access, path: str) -> str:
    try:
        with open_file(access, path) as file:
            return os.read(file.descriptor, 100).decode()
    except WorkspaceError:
        return "refused"


def test_reading_through_a_directory_that_turns_into_a_link_never_gets_out(
    access: Access, workspace: Path, outside: Path
) -> None:
    (workspace / "target").mkdir()
    (workspace / "target" / "secret.txt").write_text("inside")
    with meanwhile(swapper(workspace / "target", outside)):
        seen = {read_once(access, "target/secret.txt") for _ in range(ROUNDS)}
    assert SECRET not in seen
    assert "inside" in seen


def test_reading_a_file_that_turns_into_a_link_never_gets_out(access: Access, workspace: Path, outside: Path) -> None:
    (workspace / "file.txt").write_text("inside")
    with meanwhile(swapper(workspace / "file.txt", outside / "secret.txt")):
        seen = {read_once(access, "file.txt") for _ in range(ROUNDS)}
    assert SECRET not in seen
    assert "inside" in seen


def test_writing_through_a_directory_that_turns_into_a_link_never_gets_out(
    access: Access, workspace: Path, outside: Path
) -> None:
    (workspace / "target").mkdir()
    with meanwhile(swapper(workspace / "target", outside)):
        for number in range(300):
            with suppress(WorkspaceError), access.locate(f"target/new/{number}.txt", for_writing=True) as place:
                replace_file(place, b"x", "shown")
    assert sorted(path.name for path in outside.iterdir()) == ["secret.txt"]
    assert (outside / "secret.txt").read_text() == SECRET


def test_a_directory_that_was_swapped_after_the_check_is_still_the_one_written_to(
    access: Access, workspace: Path, outside: Path
) -> None:
    with access.locate("src/main.py", for_writing=True) as place:
        (workspace / "src").rename(workspace / "moved")
        (workspace / "src").symlink_to(outside)
        replace_file(place, b"new", "src/main.py")
    assert (workspace / "moved" / "main.py").read_bytes() == b"new"
    assert sorted(path.name for path in outside.iterdir()) == ["secret.txt"]


def test_a_file_that_was_swapped_for_a_link_after_the_check_is_not_opened(
    access: Access, workspace: Path, outside: Path
) -> None:
    with access.locate("src/main.py") as place:
        (workspace / "src" / "main.py").unlink()
        (workspace / "src" / "main.py").symlink_to(outside / "secret.txt")
        with pytest.raises(OSError):
            place.open(os.O_RDONLY)
