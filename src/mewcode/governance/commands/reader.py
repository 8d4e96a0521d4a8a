"""Reads the words of a tree's nodes, walking into the substitutions that stand in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mewcode.governance.commands.ansi import AnsiError
from mewcode.governance.commands.arithmetic import assigned_names
from mewcode.governance.commands.cells import Cell, MisreadError, read_words
from mewcode.governance.commands.expansion import TooManyWordsError, words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from mewcode.governance.commands.findings import Findings
    from mewcode.governance.commands.syntax import Source
    from mewcode.governance.commands.variables import Variables
    from mewcode.governance.commands.word import Word

_OPENS_SUBSTITUTION = re.compile(r"`|\$\(|[<>]\(|\$\[")
_PLAIN_PARAMETER = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_RUNS_PROMPT = re.compile(r"@[A-Za-z]|^\$\{!")


class WordReader:
    """Words of one source. `substitute` walks a substitution's node and gives its output where that is known."""

    def __init__(
        self,
        source: Source,
        variables: Variables,
        findings: Findings,
        substitute: Callable[[Node], str | None],
    ) -> None:
        self._source = source
        self._variables = variables
        self._findings = findings
        self._substitute = substitute
        findings.numbers.read(source.text)
        self._outputs: dict[int, str | None] = {}

    def words(self, start: int, end: int) -> list[Word]:
        """The words between two offsets; [] and a doubt where the text there cannot be read as words."""
        return [word for _, words in self.placed_words(start, end) for word in words]

    def placed_words(self, start: int, end: int) -> list[tuple[int, list[Word]]]:
        """As `words`, each source word with its offset and what it expands to."""
        try:
            placed = read_words(self._source.text, start, end, self._source.ends, self._cell)
            return [(at, words_of(cells)) for at, cells in placed]
        except (MisreadError, AnsiError):
            self._findings.doubt("misread", text=self._shown(start, end))
        except TooManyWordsError:
            self._findings.doubt("too_many_words", text=self._shown(start, end))
        return []

    def value(self, start: int, end: int) -> str | None:
        """The text assigned by what stands between two offsets: no braces, no splitting, no wildcards."""
        try:
            placed = read_words(self._source.text, start, end, self._source.ends, self._cell)
        except (MisreadError, AnsiError):
            self._findings.doubt("misread", text=self._shown(start, end))
            return None
        if not placed:
            return ""
        cells = placed[0][1]
        if len(placed) > 1 or (cells and cells[0].text == "~" and not cells[0].quoted):
            return None
        parts = [cell.value if cell.expansion else cell.text for cell in cells]
        known = [part for part in parts if part is not None]
        return "".join(known) if len(known) == len(parts) else None

    def expansions_within(self, node: Node) -> str:
        """Walks every expansion below `node`; gives the node's text without them."""
        return self._cut(node.start_byte, node.end_byte)

    def expansions_between(self, start: int, end: int) -> str:
        """As `expansions_within`, between two offsets."""
        return self._cut(start, end)

    def check_arithmetic(self, node: Node) -> None:
        """Doubts an arithmetic expression that may run code."""
        rest = self._cut(node.start_byte, node.end_byte, inside=True)
        text = self._source.raw(node)
        self._findings.evaluates(rest, text)
        if not text.endswith("))"):
            self._findings.doubt("arithmetic", text=text[:80])
        for name in assigned_names(rest):
            self._variables.assign(name, None)

    def _cell(self, start: int, quoted: bool) -> Cell:
        node = self._source.expansions[start]
        text = self._source.raw(node)
        if node.type == "simple_expansion":
            return Cell(text, quoted, expansion=True, value=self._variable(text[1:]))
        if node.type == "expansion":
            return Cell(text, quoted, expansion=True, value=self._parameter(node, text, quoted))
        if node.type == "arithmetic_expansion":
            self.check_arithmetic(node)
            return Cell(text, quoted, expansion=True)
        value = self._output(node)
        return Cell(text, quoted, expansion=True, value=value, substitution=node.type == "process_substitution")

    def _output(self, node: Node) -> str | None:
        """Each substitution is walked once, however often its word is read."""
        if node.start_byte not in self._outputs:
            self._outputs[node.start_byte] = None
            self._outputs[node.start_byte] = self._substitute(node)
        return self._outputs[node.start_byte]

    def _variable(self, name: str) -> str | None:
        value = self._variables.value(name)
        return None if value is None else value.encode("utf-8", "surrogateescape").decode("latin-1")

    def _parameter(self, node: Node, text: str, quoted: bool) -> str | None:
        plain = _PLAIN_PARAMETER.fullmatch(text)
        if plain:
            return self._variable(plain[1])
        self._cut(node.start_byte, node.end_byte, inside=True)
        if _RUNS_PROMPT.search(text) or "\\\n" in text or (quoted and re.search(r"['\"\\]", text)):
            self._findings.doubt("expansion", text=text[:80])
        index = re.match(r"\$\{[#!]?\w+\[([^\]]*)\]", text)
        if index and index[1] not in ("@", "*"):
            self._findings.evaluates(index[1], text)
        name = re.match(r"\$\{#?([A-Za-z_]\w*)", text)
        if name and ("=" in text or ":" in text):
            self._check_offset(text, name[1])
        return None

    def _check_offset(self, text: str, name: str) -> None:
        """`${x:n}` evaluates n; `${x:=y}` and `${x=y}` assign."""
        operator = re.match(r"\$\{#?\w+(?:\[[^\]]*\])?(:?=|:(?![-+?=]))(.*)\}$", text, re.DOTALL)
        if operator is None:
            return
        if operator[1] in ("=", ":="):
            self._variables.assign(name, None)
        else:
            self._findings.evaluates(operator[2], text)

    def _cut(self, start: int, end: int, *, inside: bool = False) -> str:
        """The text between two offsets without its outermost expansions, each of them walked."""
        pieces: list[str] = []
        at = start + 1 if inside and start in self._source.expansions else start
        skipped = "$" if at > start else ""
        while at < end:
            node = self._source.expansions.get(at)
            if node is None or node.end_byte > end:
                pieces.append(self._source.text[at])
                at += 1
                continue
            if node.type in ("simple_expansion", "expansion"):
                pieces.append(self._source.raw(node))
            self._cell(at, quoted=False)
            at = node.end_byte
        rest = skipped + "".join(pieces)
        body = rest.removeprefix("$((") if inside else rest
        if _OPENS_SUBSTITUTION.search(body):
            self._findings.doubt("misread", text=self._shown(start, end))
        return rest

    def _shown(self, start: int, end: int) -> str:
        return self._source.text[start:end][:80].encode("latin-1").decode("utf-8", "replace")
