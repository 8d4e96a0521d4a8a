"""The whole output of a command in a file, up to a size."""

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from mewcode.workspace.plain_names import plain_name

MOST_BYTES = 64 << 20


def session_folder(outputs: Path, session: str) -> Path:
    """Where all outputs of a session are: a read-only root of its calls."""
    return outputs / plain_name(session)


def output_path(outputs: Path, session: str, name: str) -> Path:
    """Where an output of a session goes: in a folder that only the user may look into."""
    folder = session_folder(outputs, session)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder / f"{plain_name(name)}.txt"


class OutputFile:
    """Made when the first bytes come. A full disk ends the writing, not the command."""

    def __init__(self, path: Path, limit: int = MOST_BYTES) -> None:
        self.path = path
        self.bytes = 0
        self.written = 0
        self._limit = limit
        self._descriptor: int | None = None
        self._broken = False

    def __enter__(self) -> "OutputFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    @property
    def whole(self) -> bool:
        return self.written == self.bytes

    def write(self, data: bytes) -> None:
        self.bytes += len(data)
        kept = data[: self._limit - self.written]
        if self._broken or not kept:
            return
        try:
            if self._descriptor is None:
                self._descriptor = open_output(self.path)
            self.written += os.write(self._descriptor, kept)
        except OSError:
            self._broken = True

    def discard(self) -> None:
        """For an output that was shown whole: nobody needs the file."""
        with suppress(OSError):
            self.path.unlink()


def open_output(path: Path) -> int:
    """A descriptor on a new file that only the user can read. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    return os.open(path, flags, 0o600)
