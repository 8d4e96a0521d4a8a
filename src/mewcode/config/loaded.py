"""The settings as they were loaded, with everything that there is to say about them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mewcode.config.node import Key, Node
from mewcode.config.place import DEFAULT, Place, Problem
from mewcode.config.proposals import Untrusted
from mewcode.config.schema.settings import Settings


@dataclass(frozen=True)
class LoadedSettings:
    """`settings` is what counts. `broken`: a user or project file is wrong, so nothing may run unasked.

    `ignored` are settings of the project that a project may not have; they stand in `problems`, too.
    `secrets` are all values that must never be shown: what came out of ${…}, keys, tokens.
    """

    settings: Settings
    tree: Node
    workspace: Path
    problems: tuple[Problem, ...] = ()
    ignored: tuple[Problem, ...] = ()
    untrusted: tuple[Untrusted, ...] = ()
    broken: bool = False
    secrets: frozenset[str] = frozenset()
    files: tuple[Path, ...] = ()

    def source_of(self, key: str) -> Place:
        """Where a setting ("limits.per_minute", "permissions[2].rule") came from; the default's place if nobody set
        it."""
        node = self.tree.find(way) if (way := way_of(self.tree, key)) else None
        return node.place if node else DEFAULT

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "error")


def way_of(tree: Node, key: str) -> tuple[Key, ...] | None:
    """Splits a dotted key along the tree, so that names with dots in them are found."""
    return next(_ways(tree, key), None)


def _ways(node: Node, rest: str) -> "Iterator[tuple[Key, ...]]":
    if not rest:
        yield ()
    rest = rest.removeprefix(".")
    for name, child in node.entries.items():
        if rest == name or rest.startswith((f"{name}.", f"{name}[")):
            yield from ((name, *way) for way in _ways(child, rest[len(name) :]))
    index, closing, after = rest.removeprefix("[").partition("]")
    if closing and index.isdecimal() and int(index) < len(node.items):
        yield from ((int(index), *way) for way in _ways(node.items[int(index)], after))
