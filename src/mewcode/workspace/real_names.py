"""The name that a file really has, on file systems where several spellings reach it."""

import os
import unicodedata


def real_name(directory: int, name: str, found: os.stat_result) -> str:
    """The spelling on disk of `name`, which was found in `directory`.

    Where case or Unicode form do not matter (macOS, Windows, case-folded ext4), a pattern that takes out `secret/`
    must also take out `SECRET/`. So when another spelling reaches the same file, the directory says which is real.
    """
    others = {name.swapcase(), unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)} - {name}
    if not any(_same(directory, other, found) for other in others):
        return name
    names = _listing(directory)
    if name in names:
        return name
    return next((other for other in names if _folded(other) == _folded(name)), name)


def other_form(directory: int, name: str) -> str | None:
    """The name in its other Unicode form when only that one exists: what was typed as NFC may be stored as NFD."""
    if name.isascii():
        return None
    for form in ("NFC", "NFD"):
        other = unicodedata.normalize(form, name)
        if other != name and _exists(directory, other):
            return other
    return None


def _listing(directory: int) -> list[str]:
    # `directory` may be open for searching only (O_PATH); listing wants it open for reading.
    readable = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=directory)
    try:
        return os.listdir(readable)  # noqa: PTH208 a descriptor, not a path
    except OSError:
        return []
    finally:
        os.close(readable)


def _same(directory: int, name: str, found: os.stat_result) -> bool:
    try:
        other = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except OSError:
        return False
    return (other.st_dev, other.st_ino) == (found.st_dev, found.st_ino)


def _exists(directory: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except OSError:
        return False
    return True


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
