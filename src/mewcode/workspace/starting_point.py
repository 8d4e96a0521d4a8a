"""Which root a path begins at."""

import os
from pathlib import Path

from mewcode.workspace.scope_errors import OutOfScopeError


def starting_point(text: str, roots: tuple[Path, ...], *, shown: str) -> tuple[Path, list[str]]:
    """The root that `text` lies under and the parts that lead on from there (they may still hold `..` and links).

    A relative path starts at the first root. An absolute one must begin with a root, or with another name of one
    (`/tmp` for `/private/tmp`). Raises OutOfScopeError, which names `shown`.
    """
    if not text.startswith("/"):
        return roots[0], text.split("/")
    for root in sorted(roots, key=lambda root: len(root.parts), reverse=True):
        if (rest := _beneath(text, str(root))) is not None:
            return root, rest
    parts = [part for part in text.split("/") if part]
    for count in range(len(parts) + 1):
        for root in roots:
            real = os.path.realpath("/" + "/".join(parts[:count]))
            if (rest := _beneath(real, str(root))) is not None:
                return root, rest + parts[count:]
            if _is_same_directory(real, root):
                return root, parts[count:]
    raise OutOfScopeError("workspace.outside", path=shown, roots=", ".join(str(root) for root in roots))


def _beneath(text: str, root: str) -> list[str] | None:
    prefix = root.rstrip("/") + "/"
    if text == root:
        return []
    return text[len(prefix) :].split("/") if text.startswith(prefix) else None


def _is_same_directory(path: str, root: Path) -> bool:
    """Whether another spelling (case, Unicode form) names the root itself."""
    if len(path) != len(str(root)) and path.isascii():
        return False
    try:
        return root.samefile(path)
    except OSError:
        return False
