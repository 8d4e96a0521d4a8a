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
        stat = (entry / "stat").read_text("utf-8", "replace")
    except OSError:
        return None
    # The name in parentheses may hold blanks and parentheses of its own; the parent comes second after it.
    return int(entry.name), int(stat.rpartition(")")[2].split()[1])
