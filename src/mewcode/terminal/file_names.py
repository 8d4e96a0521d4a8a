"""Names of the workspace's files for completion: listed by ripgrep in the background, found in milliseconds."""

import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

FRESH_SECONDS = 5.0
LIST_SECONDS = 10.0
MOST_FILES = 500_000
MOST_WALKED = 20_000
MOST_FOUND = 50


class FileNames:
    """`matching` never waits for a listing that was made before; a stale one is renewed behind it."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._names: tuple[str, ...] = ()
        self._folded: tuple[str, ...] = ()
        self._listed = 0.0
        self._lock = threading.Lock()

    def matching(self, typed: str) -> list[str]:
        """At most MOST_FOUND paths that hold `typed`: those whose last part begins so first; files before folders,
        short ones before long ones."""
        self._renew()
        wanted = typed.casefold()
        if not wanted:
            return [*islice(self._names, MOST_FOUND)]
        found = self._holding(wanted) or list(islice(self._scattered(wanted), MOST_FOUND))
        return [self._names[index] for index in found[:MOST_FOUND]]

    def _holding(self, wanted: str) -> list[int]:
        """The names are in order already, so that nothing is sorted here, and the search ends with the best full."""
        begins: list[int] = []
        within: list[int] = []
        elsewhere: list[int] = []
        for index, name in enumerate(self._folded):
            if wanted not in name:
                continue
            last = name.rstrip("/").rpartition("/")[2]
            group = begins if last.startswith(wanted) else within if wanted in last else elsewhere
            if len(group) < MOST_FOUND:
                group.append(index)
            if len(begins) == MOST_FOUND:
                break
        return [*begins, *within, *elsewhere]

    def _scattered(self, wanted: str) -> Iterator[int]:
        """Names that hold the letters in that order, with others between them."""
        pattern = re.compile(".*?".join(re.escape(letter) for letter in wanted))
        return (index for index, name in enumerate(self._folded) if pattern.search(name))

    def _renew(self) -> None:
        if time.monotonic() - self._listed < FRESH_SECONDS and self._listed:
            return
        if self._names:
            threading.Thread(target=self._list, name="file-names", daemon=True).start()
        else:
            self._list()

    def _list(self) -> None:
        if not self._lock.acquire(blocking=not self._names):
            return
        try:
            if time.monotonic() - self._listed < FRESH_SECONDS and self._listed:
                return
            files = list_files(self._workspace)
            folders = {name.rpartition("/")[0] + "/" for name in files if "/" in name}
            names = tuple(sorted([*files, *folders], key=_order))
            self._folded = tuple(name.casefold() for name in names)
            self._names = names
            self._listed = time.monotonic()
        finally:
            self._lock.release()


def list_files(workspace: Path) -> list[str]:
    """Paths below `workspace`, with / between the parts; what .gitignore names is left out where ripgrep is there."""
    from mewcode.workspace.ripgrep import base_arguments, find_ripgrep, ripgrep_environment

    program = find_ripgrep()
    if program is None:
        return _walked(workspace)
    try:
        done = subprocess.run(
            [program, *base_arguments(), "--files"],
            cwd=workspace,
            env=ripgrep_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIST_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    lines = done.stdout.decode("utf-8", errors="replace").splitlines()[:MOST_FILES]
    return [line.replace(os.sep, "/").removeprefix("./") for line in lines if line.isprintable()]


def _order(name: str) -> tuple[bool, int, str]:
    return (name.endswith("/"), len(name), name)


def _walked(workspace: Path) -> list[str]:
    found: list[str] = []
    for folder, folders, files in os.walk(workspace):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        inside = Path(folder).relative_to(workspace)
        found += [(inside / name).as_posix() for name in sorted(files)]
        if len(found) > MOST_WALKED:
            break
    return found
