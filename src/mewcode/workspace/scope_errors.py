"""Why a path cannot be used."""

import errno
import os
from pathlib import Path

from mewcode.errors import WorkspaceError


class OutOfScopeError(WorkspaceError):
    """A path that the caller may not touch."""

    exit_code = 3


def from_os_error(path: str | Path, error: OSError) -> WorkspaceError:
    """The operating system's refusal as an error of ours, with the path as the caller knows it."""
    reason = os.strerror(error.errno) if error.errno else str(error)
    if error.errno == errno.ENOENT:
        return WorkspaceError("workspace.not_found", path=path, hint="")
    if error.errno == errno.ENOTDIR:
        return WorkspaceError("workspace.not_a_directory", path=path)
    if error.errno == errno.ELOOP:
        return WorkspaceError("workspace.changed_meanwhile", path=path)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return WorkspaceError("workspace.not_permitted", path=path, reason=reason)
    return WorkspaceError("workspace.failed", path=path, reason=reason)
