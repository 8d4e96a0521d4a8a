"""Which processes descend from which. Standard library only: the watchdog runs this file's functions on its own."""

import subprocess
import sys
from pathlib import Path


def descendants(roots: set[int]) -> set[int]:
    """All living processes below `roots`, without the roots. Empty where the platform does not tell."""
    children: dict[int, list[int]] = {}
    for process, parent in _parents():
        children.setdefault(parent, []).append(process)
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        for child in children.get(waiting.pop(), []):
            if child not in found and child not in roots:
                found.add(child)
                waiting.append(child)
    return found


def started_at(process: int) -> int | None:
    """When it started, in the kernel's ticks: with the pid it names a process for good. None where nobody tells."""
    try:
        return int(_stat_of(Path(f"/proc/{process}"))[19])
    except (OSError, IndexError):
        return None


def _parents() -> list[tuple[int, int]]:
    if sys.platform == "linux":
        return [pair for entry in Path("/proc").iterdir() if entry.name.isdigit() and (pair := _parent_of(entry))]
    if sys.platform == "win32":
        return []
    listed = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, text=True, timeout=5, check=False)
    pairs = [line.split() for line in listed.stdout.splitlines()]
    return [(int(pair[0]), int(pair[1])) for pair in pairs if len(pair) == 2]


def _parent_of(entry: Path) -> tuple[int, int] | None:
    try:
        return int(entry.name), int(_stat_of(entry)[1])
    except OSError:
        return None


def _stat_of(entry: Path) -> list[str]:
    """The fields after the name, which stands in parentheses and may hold blanks and parentheses of its own."""
    return (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
