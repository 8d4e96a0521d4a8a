"""Replaces a small file in one step, so that a reader sees the old text or the new one."""

import os
import tempfile
from pathlib import Path


def write_atomically(file: Path, text: str, *, mode: int | None = None) -> None:
    """Writes beside the file and renames. Symlinks are followed, so that a linked dotfile stays a link.

    `mode` is for a file that does not exist yet; an existing one keeps its own. Raises OSError.
    """
    target = Path(os.path.realpath(file))
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    permissions = target.stat().st_mode & 0o777 if target.exists() else mode
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(permissions if permissions is not None else 0o644)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
