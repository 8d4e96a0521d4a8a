"""Reads the settings files, each as a layer: its tree, and whether it is broken."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from mewcode.config.json_source import parse_json
from mewcode.config.node import Node
from mewcode.config.place import Place, Problem, ScopeName
from mewcode.config.source_file import UnreadableError, read_source
from mewcode.config.validation import ENTRY_GROUPS
from mewcode.config.yaml_source import parse_yaml


@dataclass
class Layer:
    """One file, or the command line. A file that cannot be read at all is an empty layer with a problem."""

    scope: ScopeName
    tree: Node
    file: Path | None = None
    problems: list[Problem] = field(default_factory=list[Problem])
    disabled: dict[tuple[str, str], Problem] = field(default_factory=dict[tuple[str, str], Problem])
    """Servers and providers that cannot be used, by group and name."""
    raw: Node = field(default_factory=lambda: Node({}))
    """The tree as written, before expansion."""

    @property
    def broken(self) -> bool:
        """Whether something in it is wrong that is not confined to one server or provider."""
        return any(problem.severity == "error" and not problem.local for problem in self.problems)


def read_layer(file: Path, scope: ScopeName) -> Layer:
    """A file that is not there is an empty layer. JSON by the file's ending, YAML otherwise."""
    empty = Node({}, Place(scope, str(file), 1, 1))
    try:
        source = read_source(file, scope)
        if source is None:
            return Layer(scope, empty, None)
        tree = parse_json(source) if file.suffix == ".json" else parse_yaml(source)
        return Layer(scope, normalised(tree), file)
    except UnreadableError as error:
        return Layer(scope, empty, file, [Problem("error", str(error), error.place)])


def normalised(tree: Node) -> Node:
    """A group that was left empty (`permissions:`) is not there, and `sandbox: strict` is written out, so that it
    can be merged with `sandbox: {network: true}`."""
    entries = {key: _without_empty(key, node) for key, node in tree.entries.items() if node.value is not None}
    sandbox = entries.get("sandbox")
    if sandbox is not None and not isinstance(sandbox.value, dict):
        mode = replace(sandbox, value="off") if sandbox.value is False else sandbox
        entries["sandbox"] = replace(sandbox, value={"mode": mode})
    return replace(tree, value=entries)


def _without_empty(key: str, node: Node) -> Node:
    if key in ENTRY_GROUPS or not isinstance(node.value, dict):
        return node
    return replace(node, value={name: child for name, child in node.entries.items() if child.value is not None})
