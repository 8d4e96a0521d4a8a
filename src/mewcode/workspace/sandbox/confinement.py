"""What one confined process may touch, whatever kind of sandbox holds it to that."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu", "/sys", "/snap",
    "/System", "/Library", "/private/etc", "/var/db", "/dev",
)  # fmt: skip
"""Where programs and their libraries live: what `strict` leaves readable outside the roots."""


@dataclass(frozen=True)
class Confinement:
    """Absolute, resolved paths. A deeper path's line wins over a shallower one's.

    `write`: folders that may be read and written. `read`: folders that may only be read; `everything` adds all the
    rest of the machine to that. `hidden`: not to be seen. `protected`: readable, never writable, though in a folder
    that may be written. `temp`: a private folder that stands for the temporary one.
    """

    cwd: Path
    write: tuple[Path, ...]
    read: tuple[Path, ...]
    hidden: tuple[Path, ...]
    protected: tuple[Path, ...]
    temp: Path
    everything: bool = True
    network: bool = False


def system_places() -> tuple[Path, ...]:
    return tuple(path for name in _SYSTEM if exists(path := Path(name)))


def exists(path: Path) -> bool:
    """Whether it is there; no where this user cannot even look: neither can what runs in the sandbox."""
    return os.path.exists(path)  # noqa: PTH110 Path.exists raises for a folder that may not be searched


def is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 as above


def resolved(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The paths as they are without symbolic links, each once; those that cannot be resolved stay as written."""
    return tuple(dict.fromkeys(_resolve(path) for path in paths))


def _resolve(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path
