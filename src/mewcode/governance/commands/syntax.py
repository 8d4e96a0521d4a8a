"""A parsed source: bash's grammar comes from tree-sitter-bash, imported when the first line is analysed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Parser

EXPANSIONS = frozenset(
    ("command_substitution", "process_substitution", "simple_expansion", "expansion", "arithmetic_expansion")
)


class Source:
    """A text and its tree. `text` has one character a byte (Latin-1), so that the tree's byte offsets fit it."""

    def __init__(self, line: str) -> None:
        encoded = line.encode("utf-8", "surrogateescape")
        self.text = encoded.decode("latin-1")
        self.root = _parser().parse(encoded).root_node
        self.broken = False
        self.expansions: dict[int, Node] = {}
        self.ends: dict[int, int] = {}
        for node in self._every_node():
            self.broken = self.broken or node.is_error or node.is_missing
            if node.type in EXPANSIONS:
                self.expansions[node.start_byte] = node
                self.ends[node.start_byte] = node.end_byte

    def raw(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte]

    def _every_node(self) -> Iterator[Node]:
        """Without recursion: a hostile line nests as deep as it likes."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.children)


@cache
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))
