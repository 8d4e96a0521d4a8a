"""Walks the statements of a source and has every simple command judged."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from mewcode.governance.commands import assignments, conditions, redirections
from mewcode.governance.commands.findings import DEEPEST, BoundsError, Findings, is_too_intricate
from mewcode.governance.commands.flow import Flow, Input
from mewcode.governance.commands.heredoc import continuation
from mewcode.governance.commands.reader import WordReader
from mewcode.governance.commands.syntax import Source
from mewcode.governance.commands.variables import Variables
from mewcode.governance.commands.word import Word
from mewcode.governance.file_names import Drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tree_sitter import Node

    Judge = Callable[[list[Word], Flow, "Walker"], None]

_STATEMENTS = frozenset(("command", "redirected_statement", "pipeline", "list", "negated_command"))
_GAP = re.compile(r"(?:[ \t\n]|\\\n)*")
_MOVES = re.compile(r"\b(?:cd|pushd|popd)\b")
_DEEPEST_NODE = 150
_FUNCTION_NAME = re.compile(r"[A-Za-z_][\w:-]*")
_BACKTICK_ESCAPE = re.compile(r"\\([$`\\])")


class Walker:
    """One source under analysis. `judge` looks at one simple command's words."""

    def __init__(self, line: str, findings: Findings, judge: Judge, variables: Variables | None = None) -> None:
        self.findings = findings
        self.variables = Variables() if variables is None else variables
        self.judge = judge
        self.source = Source(line)
        self.reader = WordReader(self.source, self.variables, findings, self._substitute)
        self.printed: Drawn | None = None
        """The files that the command judged last names in its output."""
        self._flow = Flow()
        self._level = 0

    def walk_source(self, flow: Flow) -> None:
        if self.source.broken:
            self.findings.doubt("unparsable")
        self._flow = flow
        self._sequence(self.source.root, flow)

    def nested(self, text: str, flow: Flow, *, same_shell: bool = False) -> None:
        """Analyses another source that runs within this one: in a shell of its own, or in this one (`eval`)."""
        if flow.depth >= DEEPEST:
            raise BoundsError
        variables = self.variables if same_shell else Variables()
        if not same_shell:
            variables.directory, variables.elsewhere = self.variables.directory, self.variables.elsewhere
        walk_text(text, self.findings, self.judge, replace(flow, depth=flow.depth + 1), variables)

    def statement(self, node: Node, flow: Flow, redirects: Sequence[Node] = ()) -> str | None:
        """Judges one statement and everything in it; gives its output where the line spells it.

        `redirects` belong to the last command in it: the grammar hangs them on the whole of `a | b > f`.
        """
        self.findings.check()
        self._level += 1
        if self._level > _DEEPEST_NODE:
            raise BoundsError
        outer, self._flow = self._flow, flow
        output = self._walk(node, flow, list(redirects))
        self._flow = outer
        self._level -= 1
        return output

    def _walk(self, node: Node, flow: Flow, redirects: list[Node]) -> str | None:
        if node.type == "command":
            return redirections.command(self, node, redirects, flow)
        if node.type == "redirected_statement":
            return self._redirected(node, flow, redirects)
        if node.type == "pipeline":
            return self._pipeline(node, flow, redirects)
        if node.type in ("list", "negated_command"):
            self._list(node, flow, redirects)
            return None
        if redirects:
            flow = self._flow = redirections.apply(self, redirects, flow)
        walk = self._WALKS.get(node.type)
        if walk is None:
            self._unknown(node)
        else:
            walk(self, node, flow)
        return None

    def _unknown(self, node: Node) -> None:
        """Whatever stands here is walked as far as it can be, and nothing about it is certain."""
        self.findings.doubt("structure", text=self.source.raw(node)[:60])
        for child in node.children:
            if child.type in self._WALKS or child.type in _STATEMENTS:
                self.statement(child, self._flow)

    def _sequence(self, node: Node, flow: Flow) -> str | None:
        """Statements one after the other; the output of a single one."""
        self._check_gaps(node)
        outputs = [self._one_of(node, at, flow) for at, child in enumerate(node.children) if child.is_named]
        return outputs[0] if len(outputs) == 1 else None

    def _one_of(self, node: Node, at: int, flow: Flow) -> str | None:
        """A statement of a sequence; with `&` behind it, it runs in a process of its own."""
        following = node.children[at + 1 : at + 2]
        if not following or following[0].type != "&":
            return self.statement(node.children[at], flow)
        with self.variables.subshell():
            return self.statement(node.children[at], flow)

    def _comment(self, node: Node, flow: Flow) -> None:
        before = self.source.text[node.start_byte - 1 : node.start_byte]
        after = self.source.text[node.end_byte : node.end_byte + 1]
        if (
            not self.source.raw(node).startswith("#")
            or (before and before not in " \t\n;&|()")
            or after not in ("", "\n")
        ):
            self.findings.doubt("structure", text=self.source.raw(node)[:60])

    def _list(self, node: Node, flow: Flow, redirects: list[Node]) -> None:
        """`a && b || c`: left-recursive in the tree, so that a long one is taken apart without recursion."""
        chain: list[Node] = []
        lasting: list[bool] = []
        while node.type == "list":
            self._check_gaps(node)
            parts = [child for child in node.children[1:] if child.is_named]
            chain.extend(reversed(parts))
            lasting.extend([any(child.type == "&&" for child in node.children)] * len(parts))
            node = node.children[0]
        if node.type == "negated_command":
            self._check_gaps(node)
            parts = [child for child in node.children if child.is_named]
            chain.extend(reversed(parts[1:]))
            lasting.extend([False] * len(parts[1:]))
            node = parts[0]
            lasting = [False] * len(chain)
        chain.reverse()
        lasting.reverse()
        self._chained(node, chain, lasting, flow, redirects)

    def _chained(self, first: Node, rest: list[Node], lasting: list[bool], flow: Flow, redirects: list[Node]) -> None:
        """The parts of a list; `lasting` says which of `rest` run only if the part before succeeded."""
        places = self.variables
        places.surely = places.elsewhere
        self.statement(first, flow, () if rest else redirects)
        seen, simple = set(places.elsewhere), first.type == "command"
        with self.variables.branch():
            for at, part in enumerate(rest):
                simple = simple and lasting[at]
                places.elsewhere = places.surely if simple else frozenset(seen)
                self.statement(part, flow, redirects if at == len(rest) - 1 else ())
                seen |= places.elsewhere
                simple = simple and part.type == "command"
        places.elsewhere = frozenset(seen - {places.directory or ""} if places.directory is not None else seen)

    def _pipeline(self, node: Node, flow: Flow, redirects: list[Node], stdin: Input | None = None) -> str | None:
        """`stdin` is what a part before the node prints."""
        self._check_gaps(node)
        parts = [child for child in node.children if child.is_named and child.type != "comment"]
        current = stdin or flow.stdin
        output = None
        for at, part in enumerate(parts):
            self.printed = None
            with self.variables.subshell():
                tail = redirects if at == len(parts) - 1 else ()
                output = self.statement(part, replace(flow, stdin=current), tail)
            current = Input(output, self.printed if part.type == "command" else None)
        return output

    def _redirected(self, node: Node, flow: Flow, redirects: list[Node]) -> str | None:
        """A statement with its redirections, and what a here-document's line goes on with."""
        body = node.child_by_field_name("body")
        own = [child for child in node.children if redirections.is_redirect(child)]
        self._check_gaps(node)
        strays = [child for child in node.children if child.is_named and child != body and child not in own]
        for stray in strays:
            self._unknown(stray)
        following = [part for redirect in own for part in continuation(redirect)]
        if body is None:
            output = redirections.command(self, None, [*own, *redirects], flow)
        else:
            output = self.statement(body, flow, [*own, *redirects])
        for part in following:
            if part.type == "pipeline" and self.source.raw(part).startswith("|"):
                output = self._pipeline(part, flow, [], Input(output))
            else:
                with self.variables.branch():
                    output = self.statement(part, flow)
        return None if len(following) > 1 else output

    def _subshell(self, node: Node, flow: Flow) -> None:
        with self.variables.subshell():
            self._sequence(node, flow)

    def _compound(self, node: Node, flow: Flow) -> None:
        if self.source.raw(node).startswith("(("):
            self.reader.check_arithmetic(node)
            return
        self._sequence(node, flow)

    def _if(self, node: Node, flow: Flow) -> None:
        self._check_gaps(node)
        with self.variables.branch():
            for child in node.children:
                if child.is_named:
                    self.statement(child, flow)

    def _while(self, node: Node, flow: Flow) -> None:
        with self.variables.unknown(moves=self._moves(node)):
            self._sequence(node, flow)

    def _for(self, node: Node, flow: Flow) -> None:
        """`for x in words; do …; done`, also `select`."""
        self._check_gaps(node)
        body = node.child_by_field_name("body")
        words = [child for at, child in enumerate(node.children) if node.field_name_for_child(at) == "value"]
        if words:
            self.reader.words(words[0].start_byte, words[-1].end_byte)
        variable = node.child_by_field_name("variable")
        if variable is not None:
            assignments.check_name(self.source.raw(variable), self.findings)
        with self.variables.unknown(moves=self._moves(node)):
            if body is not None:
                self.statement(body, flow)

    def _c_style_for(self, node: Node, flow: Flow) -> None:
        body = node.child_by_field_name("body")
        head = self.reader.expansions_between(node.start_byte, body.start_byte if body else node.end_byte)
        found = re.fullmatch(r"for\s*\(\((.*)\)\)\s*;?\s*", head, re.DOTALL)
        for part in found[1].split(";") if found else ():
            self.findings.evaluates(part, head)
        if body is None or found is None:
            self.findings.doubt("arithmetic", text=head[:80])
        with self.variables.unknown(moves=self._moves(node)):
            if body is not None:
                self.statement(body, flow)

    def _case(self, node: Node, flow: Flow) -> None:
        self._check_gaps(node)
        value = node.child_by_field_name("value")
        if value is not None:
            self.reader.words(value.start_byte, value.end_byte)
        items = [child for child in node.children if child.type == "case_item"]
        with self.variables.branch():
            for item in items:
                self._case_item(item, flow)

    def _case_item(self, node: Node, flow: Flow) -> None:
        self._check_gaps(node)
        behind = False
        for child in node.children:
            if not behind:
                behind = self.source.raw(child) == ")" and not child.is_named
                self.reader.expansions_within(child)
            elif child.is_named and child.type != "fallthrough":
                self.statement(child, flow)

    def _function(self, node: Node, flow: Flow) -> None:
        """A body is judged where it stands, with an input and arguments that nobody knows."""
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        name = self.source.raw(name_node) if name_node else ""
        if not _FUNCTION_NAME.fullmatch(name):
            self.findings.doubt("structure", text=name[:60])
        self.variables.functions.add(name)
        inner = replace(flow, stdin=Input())
        for child in node.children:
            if child.type.endswith("_redirect"):
                inner = redirections.apply(self, [child], inner)
        with self.variables.unknown(moves=True):
            if body is not None:
                self.statement(body, inner)

    def _test(self, node: Node, flow: Flow) -> None:
        conditions.test(self, node, flow)

    def _declaration(self, node: Node, flow: Flow) -> None:
        assignments.declaration(self, node, flow)

    def _assignment(self, node: Node, flow: Flow) -> None:
        assignments.assignment(self, node)

    def _assignments(self, node: Node, flow: Flow) -> None:
        self._sequence(node, flow)

    def _substitute(self, node: Node) -> str | None:
        """Walks `$(…)`, backticks or `<(…)`; gives the output where the text itself spells it."""
        text = self.source.raw(node)
        if node.type == "process_substitution":
            stdin = Input() if text.startswith(">") else self._flow.stdin
            with self.variables.subshell():
                self._sequence(node, replace(self._flow, stdin=stdin))
            return None
        if text.startswith("`"):
            self._backticks(text)
            return None
        if text.startswith("$(<"):
            return self._file_substitution(node)
        with self.variables.subshell():
            output = self._sequence(node, self._flow)
        return None if output is None else output.rstrip("\n").encode("utf-8", "surrogateescape").decode("latin-1")

    def _backticks(self, text: str) -> None:
        """Backslashes within backticks are taken away before the text is read, so it is read anew."""
        body = text[1:-1]
        if re.search(r"(?<!\\)(?:\\\\)*`", body) or '\\"' in body:
            self.findings.doubt("misread", text=text[:80])
        inner = _BACKTICK_ESCAPE.sub(r"\1", body)
        with self.variables.subshell():
            self.nested(inner.encode("latin-1").decode("utf-8", "surrogateescape"), self._flow, same_shell=True)

    def _file_substitution(self, node: Node) -> None:
        for child in node.children:
            if child.type == "file_redirect":
                redirections.apply(self, [child], self._flow)
            elif child.is_named:
                with self.variables.subshell():
                    self.statement(child, self._flow)

    def _moves(self, node: Node) -> bool:
        return _MOVES.search(self.source.raw(node)) is not None

    def _check_gaps(self, node: Node) -> None:
        """Between the parts of a statement stand only blanks and line ends: else the tree is not what bash reads."""
        at = node.start_byte if node.type != "program" else 0
        for child in node.children:
            if not _GAP.fullmatch(self.source.text, at, max(at, child.start_byte)):
                self.findings.doubt("misread", text=self.source.text[at : child.start_byte][:60])
            at = child.end_byte
        end = len(self.source.text) if node.type == "program" else node.end_byte
        if not _GAP.fullmatch(self.source.text, at, max(at, end)):
            self.findings.doubt("misread", text=self.source.text[at:end][:60])

    _WALKS: dict[str, Callable[[Walker, Node, Flow], object]] = {  # noqa: RUF012 a table, never changed
        "program": _sequence,
        "comment": _comment,
        "subshell": _subshell,
        "compound_statement": _compound,
        "do_group": _sequence,
        "if_statement": _if,
        "elif_clause": _if,
        "else_clause": _if,
        "while_statement": _while,
        "for_statement": _for,
        "c_style_for_statement": _c_style_for,
        "case_statement": _case,
        "function_definition": _function,
        "test_command": _test,
        "declaration_command": _declaration,
        "unset_command": _declaration,
        "variable_assignment": _assignment,
        "variable_assignments": _assignments,
    }


def walk_text(text: str, findings: Findings, judge: Judge, flow: Flow, variables: Variables | None = None) -> None:
    """Analyses a source of its own. A text that bash would read otherwise than the grammar is doubted as a whole."""
    odd = next((letter for letter in text if (ord(letter) < 32 and letter not in "\t\n") or ord(letter) == 127), None)
    if odd is not None:
        findings.doubt("control", character=f"U+{ord(odd):04X}")
        text = text.replace("\0", "")
    if is_too_intricate(text):
        raise BoundsError
    Walker(text, findings, judge, variables).walk_source(flow)
