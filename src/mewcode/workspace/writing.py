"""Replacing a file in one step: a reader sees the old content or the new, never half of either."""

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from mewcode.errors import WorkspaceError
from mewcode.workspace.opening import refuse_special
from mewcode.workspace.place import DIRECTORY_FLAGS, Place
from mewcode.workspace.scope_errors import from_os_error


def replace_file(place: Place, data: bytes, shown: str, *, mode: int | None = None) -> os.stat_result:
    """Puts `data` where `place` says, making the directories that are missing; keeps mode, owner and attributes.

    `mode` (permission bits) is for a new file; None leaves it to the user's umask. Returns the new file's status.
    Raises WorkspaceError; then the old file is untouched.
    """
    before = place.stat()
    if before is not None:
        refuse_special(before, shown)
        if not before.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
            raise WorkspaceError("workspace.write_protected", path=shown, mode=f"{stat.S_IMODE(before.st_mode):04o}")
    try:
        _make_directories(place)
        return _replace(place, data, before, mode)
    except OSError as error:
        raise from_os_error(shown, error) from error


def remove_file(place: Place, shown: str) -> None:
    """Removes a regular file. Raises WorkspaceError."""
    found = place.stat()
    if found is None:
        return
    refuse_special(found, shown)
    try:
        if place.directory is None:
            place.path.unlink()
        else:
            os.unlink(place.name, dir_fd=place.directory)
    except OSError as error:
        raise from_os_error(shown, error) from error


def _make_directories(place: Place) -> None:
    if place.directory is None:
        place.path.parent.mkdir(parents=True, exist_ok=True)
        place.missing = ()
        return
    for name in place.missing:
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=place.directory)
        inner = os.open(name, DIRECTORY_FLAGS, dir_fd=place.directory)
        os.close(place.directory)
        place.directory = inner
    place.missing = ()


def _replace(place: Place, data: bytes, before: os.stat_result | None, mode: int | None) -> os.stat_result:
    temporary = f".{place.name[:100]}.{secrets.token_hex(6)}.tmp"
    # A new file gets the mode that the user's umask leaves; a replaced one keeps its own, private until then.
    descriptor = place.open(os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if before is None else 0o600, temporary)
    try:
        try:
            _write_all(descriptor, data)
            if before is not None:
                _keep_attributes(place, descriptor, before)
            elif mode is not None and hasattr(os, "fchmod"):
                os.fchmod(descriptor, mode)
            os.fsync(descriptor)
            status = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        _rename(place, temporary)
    except BaseException:
        _discard(place, temporary)
        raise
    return status


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _keep_attributes(place: Place, descriptor: int, before: os.stat_result) -> None:
    if not hasattr(os, "fchown"):
        return
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with suppress(PermissionError):  # only the administrator may give files away
            os.fchown(descriptor, before.st_uid, before.st_gid)
    if hasattr(os, "listxattr"):
        _copy_extended(place, descriptor)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))


def _copy_extended(place: Place, descriptor: int) -> None:
    """Access control lists and labels live in extended attributes (Linux)."""
    try:
        old = place.open(os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return
    try:
        for name in os.listxattr(old):
            with suppress(OSError):
                os.setxattr(descriptor, name, os.getxattr(old, name))
    except OSError as error:
        if error.errno not in (errno.ENOTSUP, errno.ENOSYS, errno.EPERM):
            raise
    finally:
        os.close(old)


def _rename(place: Place, temporary: str) -> None:
    if place.directory is None:
        Path(place.path.parent / temporary).replace(place.path)
        return
    os.rename(temporary, place.name, src_dir_fd=place.directory, dst_dir_fd=place.directory)


def _discard(place: Place, temporary: str) -> None:
    with suppress(OSError):
        if place.directory is None:
            Path(place.path.parent / temporary).unlink()
        else:
            os.unlink(temporary, dir_fd=place.directory)
