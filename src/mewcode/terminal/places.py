"""Where something stands, as short as it is clear."""

from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.calls import Source


def at_home(path: Path) -> str:
    """`path` with ~ for the home directory."""
    try:
        return f"~/{path.relative_to(Path.home())}".rstrip("/.")
    except ValueError:
        return str(path)


def place_of(source: "Source | None", workspace: Path | None = None) -> str:
    """A rule's file and line: inside the workspace relative to it, in a shipped set by the set's name."""
    if source is None or source.file is None:
        return str(source or "-")
    path = Path(source.file)
    if source.scope == "preset":
        return message("terminal.preset", name=path.stem)
    inside = workspace is not None and path.is_relative_to(workspace)
    shown = str(path.relative_to(workspace)) if workspace is not None and inside else at_home(path)
    return f"{shown}:{source.line} ({source.scope})"
