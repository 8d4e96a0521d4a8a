"""Which shell variables have a value that is known before the line runs."""

import os
from collections.abc import Generator
from contextlib import contextmanager


class Variables:
    """Values by name, along the straight path of a line.

    What is assigned on a branch that may not run (after `&&`, in a loop, in a function) is unknown behind it.
    `directory` is the working directory relative to where the line starts, None once it is unknown.
    """

    def __init__(self) -> None:
        home = os.path.expanduser("~")  # noqa: PTH111 the text, also when it is no path
        self._values: dict[str, str | None] = {"HOME": home if home != "~" else None}
        self.functions: set[str] = set()
        self.directory: str | None = ""
        self._distrusted = False

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
        values, directory, functions = dict(self._values), self.directory, set(self.functions)
        yield
        self._values, self.directory, self.functions = values, directory, functions

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
