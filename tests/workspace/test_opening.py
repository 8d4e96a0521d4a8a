"""Only regular files are opened, and nothing is waited for."""

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.opening import open_file

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")


@posix
def test_a_named_pipe_is_refused_and_not_waited_for(access: Access, workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    with pytest.raises(WorkspaceError, match="named pipe"), open_file(access, "pipe"):
        pass


@posix
def test_a_pipe_that_takes_a_files_place_after_the_look_is_not_waited_for(access: Access, workspace: Path) -> None:
    with access.locate("src/main.py") as place:
        (workspace / "src" / "main.py").unlink()
        os.mkfifo(workspace / "src" / "main.py")
        descriptor = place.open(os.O_RDONLY | os.O_NONBLOCK)
        os.close(descriptor)


@posix
def test_a_socket_is_refused(access: Access, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workspace)  # a socket's path may have 108 bytes only
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("door")
        with pytest.raises(WorkspaceError, match="socket"), open_file(access, "door"):
            pass


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's devices")
@pytest.mark.parametrize("name", ["null", "zero", "full", "tty", "random"])
def test_a_device_is_refused(name: str) -> None:
    if not Path("/dev", name).exists():
        pytest.skip("this machine has no such device")
    with pytest.raises(WorkspaceError, match="character device"), open_file(Access((Path("/dev"),)), name):
        pass


def test_a_directory_is_refused_with_what_to_do(access: Access) -> None:
    with pytest.raises(WorkspaceError, match=r"is a directory.*find_files"), open_file(access, "src"):
        pass


def test_a_missing_file_names_similar_ones(access: Access) -> None:
    with pytest.raises(WorkspaceError, match=r"does not exist.*Did you mean main\.py"), open_file(access, "src/man.py"):
        pass


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="the administrator reads everything")
def test_an_unreadable_file_is_a_clear_error(access: Access, workspace: Path) -> None:
    (workspace / "closed.txt").write_text("x")
    (workspace / "closed.txt").chmod(0)
    with pytest.raises(WorkspaceError, match="operating system denies"), open_file(access, "closed.txt"):
        pass


def test_no_descriptor_is_left_open(access: Access) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("descriptors are counted in /proc")
    before = len(os.listdir("/proc/self/fd"))
    for text in ("src/main.py", "src/deep/inner.py", "src/none.py", "src", "../x", "src/main.py/x", "new/a/b"):
        with suppress(WorkspaceError), open_file(access, text):
            pass
    assert len(os.listdir("/proc/self/fd")) == before
