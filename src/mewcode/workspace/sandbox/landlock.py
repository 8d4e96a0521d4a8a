"""Landlock: a kernel that lists what may be touched. It only allows, so a hidden place is made by allowing all else."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mewcode.workspace.sandbox.confinement import Confinement, exists

_LAUNCHER = str(Path(__file__).with_name("launch.py"))
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts")
_NEVER = (Path("/run"), Path("/var/run"), Path("/dev"))
"""Of /proc a confined process sees no more than names: Landlock keeps it from other processes' memory, environment
and files (landlock(7), "Ptrace restrictions")."""


def landlock_argv(argv: Sequence[str], confinement: Confinement) -> list[str]:
    """The command line that runs `argv` confined."""
    hidden = [path for path in confinement.hidden if exists(path)]
    closed = [*hidden, *_NEVER]
    read = [*_parts((Path("/"),) if confinement.everything else (*confinement.read, Path("/proc")), closed)]
    write = [*_parts((*confinement.write, confinement.temp), hidden)]
    extra = [*_parts(confinement.read, hidden)] if confinement.everything else []
    wanted = {
        "read": [str(path) for path in (*read, *extra, *confinement.protected)],
        "write": [str(path) for path in write],
        "devices": [*_DEVICES, *(["/dev/shm"] if Path("/dev/shm").is_dir() else [])],  # noqa: S108
        "network": confinement.network,
        "temp": str(confinement.temp),
    }
    return [sys.executable, "-I", "-S", _LAUNCHER, json.dumps(wanted), "--", *argv]


def _parts(wanted: Iterable[Path], closed: Sequence[Path]) -> Iterator[Path]:
    """The folders and files that together are `wanted` without what is `closed`.

    A folder around something closed is taken apart into its entries, so that it cannot be listed itself.
    """
    for path in wanted:
        if path in closed:
            continue
        if not any(path in inner.parents for inner in closed):
            yield path
            continue
        try:
            entries = sorted(path.iterdir())
        except OSError:
            continue
        yield from _parts([entry for entry in entries if not entry.is_symlink()], closed)
