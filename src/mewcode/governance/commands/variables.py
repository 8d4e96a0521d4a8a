"""Which shell variables have a value that is known before the line runs."""

import os
import posixpath
from collections.abc import Callable, Generator
from contextlib import contextmanager

MOST_DIRECTORIES = 16
"""Beyond that the directory counts as unknown."""


class Variables:
    """Values by name, along the straight path of a line.

    What is assigned on a branch that may not run (after `&&`, in a loop, in a function) is unknown behind it.
    `directory` is the working directory relative to where the line starts, None once it is unknown; `elsewhere` is
    where it may be instead, since a change of directory may fail, and `surely` the same for what runs only if none
    failed.
    """

    def __init__(self) -> None:
        home = os.path.expanduser("~")  # noqa: PTH111 the text, also when it is no path
        self._values: dict[str, str | None] = {"HOME": home if home != "~" else None}
        self.functions: set[str] = set()
        self.directory: str | None = ""
        self.elsewhere: frozenset[str] = frozenset()
        self.surely: frozenset[str] = frozenset()
        self._distrusted = False

    @property
    def directories(self) -> tuple[str | None, ...]:
        """Every folder that a command may run in, the likely one first."""
        return (self.directory,) if self.directory is None else (self.directory, *sorted(self.elsewhere))

    def move(self, target: str, is_there: Callable[[str], bool], *, certainly: bool) -> None:
        """`cd target`. `is_there` tells of a folder that nothing before in the line can have taken away. `certainly` is
        False where it may change no directory though it succeeds, as a program named cd does."""
        if self.directory is None:
            return
        origin, besides = self.directory, self.elsewhere
        stays = {place for place in (origin, *besides) if not certainly or not is_there(posixpath.join(place, target))}
        self.directory = posixpath.join(origin, target)
        self.elsewhere = frozenset({*stays, *(posixpath.join(place, target) for place in besides)} - {self.directory})
        moved = {posixpath.join(place, target) for place in self.surely}
        self.surely = frozenset(moved if certainly else {*moved, origin, *besides})
        if len(self.elsewhere) > MOST_DIRECTORIES:
            self.directory = None

    def value(self, name: str) -> str | None:
        return None if self._distrusted else self._values.get(name)

    def distrust_all(self) -> None:
        """After something that changes what later assignments give (`declare -l`): no value is known any more."""
        self._distrusted = True

    def assign(self, name: str, value: str | None) -> None:
        self._values[name] = value

    def forget_all(self) -> None:
        """After something that may assign anything: `read`, `eval`, a function."""
        self._values = {}

    @contextmanager
    def branch(self) -> Generator[None, None, None]:
        """For a part that may run never, once or often: what it assigns is unknown afterwards."""
        values, directory = dict(self._values), self.directory
        yield
        changed = {name for name in values.keys() | self._values.keys() if values.get(name) != self._values.get(name)}
        self._values = {name: value for name, value in values.items() if name not in changed}
        if self.directory != directory:
            self.directory = None

    @contextmanager
    def subshell(self) -> Generator[None, None, None]:
        """For a part that runs in a process of its own: nothing that it assigns comes back."""
        values, functions = dict(self._values), set(self.functions)
        places = (self.directory, self.elsewhere, self.surely)
        yield
        self._values, self.functions = values, functions
        self.directory, self.elsewhere, self.surely = places

    @contextmanager
    def unknown(self, *, moves: bool) -> Generator[None, None, None]:
        """For a part that runs later or repeatedly: no value holds in it, and none that it assigns holds after it.

        `moves` says whether the part may change the directory.
        """
        directory = self.directory
        self.forget_all()
        if moves:
            self.directory = None
        yield
        self.forget_all()
        self.directory = None if moves else directory
