"""Finding a path where there are no directory descriptors (Windows): resolve it, then check where it leads."""

import os
from pathlib import Path, PureWindowsPath

from mewcode.errors import WorkspaceError
from mewcode.workspace.place import Place
from mewcode.workspace.scope_errors import OutOfScopeError, from_os_error

_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10))})


def plain_walk(text: str, roots: tuple[Path, ...]) -> Place:
    """As `walk`, but a link that is swapped between this check and the use is not noticed."""
    _refuse_windows_names(text)
    try:
        path = Path(os.path.realpath(roots[0] / text))
    except OSError as error:
        raise from_os_error(text, error) from error
    root = next((root for root in roots if path == root or root in path.parents), None)
    if root is None:
        raise OutOfScopeError("workspace.outside", path=text, roots=", ".join(str(root) for root in roots))
    missing: list[str] = []
    parent = path.parent
    while not parent.exists() and parent != root:
        missing.insert(0, parent.name)
        parent = parent.parent
    return Place(path=path, root=root, directory=None, name=path.name, missing=tuple(missing))


def _refuse_windows_names(text: str) -> None:
    """Device names, alternate data streams and trailing dots name something else than they seem to."""
    if os.name != "nt":
        return
    path = PureWindowsPath(text)
    for part in path.parts[1:] if path.anchor else path.parts:
        stem = part.split(".")[0].rstrip().casefold()
        if stem in _DEVICES or ":" in part or (part not in (".", "..") and part.endswith((".", " "))):
            raise WorkspaceError("workspace.bad_path", path=text, reason=f"{part!r} is not a plain file name")
    if text.startswith(("\\\\?\\", "\\\\.\\")):
        raise WorkspaceError("workspace.bad_path", path=text, reason="device paths are not used")
