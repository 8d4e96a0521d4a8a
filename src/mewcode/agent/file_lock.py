"""A lock on an open file that ends with the process, however it ends."""

import sys
from pathlib import Path
from typing import IO

from mewcode.errors import UsageError


def lock_or_refuse(file: IO[bytes], path: Path) -> None:
    """Raises UsageError when another process holds the file."""
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError("sessions.in_use", session=path.stem) from error
    except OSError:
        # A network file system without locks: one person rarely resumes a session twice at once.
        return
