"""The tree of commands. Each command lives in a module of its own and is imported when it is called."""

from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit code."""
    raise NotImplementedError
