"""A checked name in an open directory: what every file operation of the workspace starts from."""

import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from mewcode.workspace.scope_errors import from_os_error

HAS_DIRECTORY_DESCRIPTORS = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
DIRECTORY_FLAGS = (
    getattr(os, "O_PATH", getattr(os, "O_SEARCH", os.O_RDONLY))
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
"""O_PATH needs no read permission on the directories in between (Linux); O_SEARCH is the like of it on macOS."""


@dataclass
class Place:
    """`name` in the directory that `directory` is open on; a `name` of "" is the directory itself.

    `path` is the absolute path with every link resolved; `missing` are the directories that would have to be made
    between the two. What is done through the descriptor stays in that directory, whatever happens to the path
    meanwhile. Where the platform has no directory descriptors, `directory` is None and `path` is used.
    """

    path: Path
    root: Path
    directory: int | None
    name: str
    missing: tuple[str, ...] = ()

    def __enter__(self) -> "Place":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def relative(self) -> str:
        """The path under its root, with `/` between parts; "." is the root itself."""
        return self.path.relative_to(self.root).as_posix()

    def stat(self) -> os.stat_result | None:
        """What is there, links not followed; None when nothing is."""
        if self.missing:
            return None
        try:
            if self.directory is None:
                return self.path.lstat()
            if not self.name:
                return os.fstat(self.directory)
            return os.stat(self.name, dir_fd=self.directory, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise from_os_error(self.path, error) from error

    def open(self, flags: int, mode: int = 0o666, name: str | None = None) -> int:
        """Opens the file (or a sibling `name`), never through a link. Returns a descriptor. Raises OSError."""
        chosen = self.name if name is None else name
        safe = flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
        if self.directory is None:
            return os.open(self.path.parent / chosen if chosen else self.path, safe | getattr(os, "O_BINARY", 0), mode)
        return os.open(chosen or ".", safe, mode, dir_fd=self.directory)

    def close(self) -> None:
        if self.directory is not None:
            os.close(self.directory)
            self.directory = None
