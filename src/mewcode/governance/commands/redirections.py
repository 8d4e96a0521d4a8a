"""Redirections: which files they write and read, and what they put on standard input."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from mewcode.governance.commands import assignments
from mewcode.governance.commands.files import uses_of
from mewcode.governance.commands.flow import Flow, Input
from mewcode.governance.commands.heredoc import read_heredoc
from mewcode.governance.commands.output import output_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from mewcode.governance.commands.walker import Walker
    from mewcode.governance.commands.word import Word

_REDIRECTS = frozenset(("file_redirect", "herestring_redirect", "heredoc_redirect"))
_WRITES = frozenset((">", ">>", ">|", "&>", "&>>", ">&", "<>"))
_HARMLESS = re.compile(r"/dev/(?:null|stdout|stderr|tty|fd/\d+)")
_DESCRIPTOR = re.compile(r"\d+-?|-")
_NETWORK = re.compile(r"/dev/(?:tcp|udp)/([^/]+)/.+")


def command(walker: Walker, node: Node | None, redirects: list[Node], flow: Flow) -> str | None:
    """Judges a simple command with the redirections in and behind it; its output where the line spells it."""
    inner = [child for child in node.children if child.type in _REDIRECTS] if node else []
    assigned = [child for child in node.children if child.type == "variable_assignment"] if node else []
    words = _words(walker, node, [*inner, *assigned]) if node else []
    target = _Target(walker, flow)
    for redirect in [*inner, *redirects]:
        target.apply(redirect)
    words.extend(target.words)
    for child in assigned:
        assignments.assignment(walker, child)
        if words:
            walker.variables.assign(walker.source.raw(child).partition("=")[0].rstrip("+"), None)
    walker.judge(words, target.flow, walker)
    if words and words[0].text == "exec" and len(words) == 1 and not target.harmless:
        walker.findings.doubt("redirection", text=walker.source.raw(node or redirects[0])[:60])
    return None if target.moves_output else output_of(words, target.flow.stdin)


def apply(walker: Walker, redirects: list[Node], flow: Flow) -> Flow:
    """The flow within a compound statement that has these redirections."""
    target = _Target(walker, flow)
    for redirect in redirects:
        target.apply(redirect)
    if target.words:
        walker.findings.doubt("structure", text=walker.source.raw(redirects[-1])[:60])
    return target.flow


def is_redirect(node: Node) -> bool:
    return node.type in _REDIRECTS


def _words(walker: Walker, node: Node, holes: list[Node]) -> list[Word]:
    """The words of a command: everything in it but its redirections and assignments."""
    words: list[Word] = []
    at = node.start_byte
    for hole in sorted(holes, key=lambda child: child.start_byte):
        words.extend(walker.reader.words(at, hole.start_byte))
        at = hole.end_byte
    return [*words, *walker.reader.words(at, node.end_byte)]


class _Target:
    """Applies redirections one after the other."""

    def __init__(self, walker: Walker, flow: Flow) -> None:
        self.walker = walker
        self.flow = flow
        self.words: list[Word] = []
        self.harmless = True
        self.moves_output = False
        self._output_discarded = False

    def apply(self, node: Node) -> None:
        if node.type == "heredoc_redirect":
            self._heredoc(node)
        elif node.type == "herestring_redirect":
            self._herestring(node)
        else:
            self._file(node)

    def _heredoc(self, node: Node) -> None:
        text, others = read_heredoc(self.walker, node)
        self.flow = replace(self.flow, stdin=Input(text))
        for child in others:
            if is_redirect(child):
                self.apply(child)
            else:
                self.words.extend(self.walker.reader.words(child.start_byte, child.end_byte))

    def _herestring(self, node: Node) -> None:
        operator = node.children[0] if node.children[0].type == "<<<" else node.children[1]
        words = self.walker.reader.placed_words(operator.end_byte, node.end_byte)
        known = len(words) == 1 and len(words[0][1]) == 1 and words[0][1][0].literal
        self.flow = replace(self.flow, stdin=Input(words[0][1][0].text + "\n" if known else None))

    def _file(self, node: Node) -> None:
        source = self.walker.source
        operator = next(child for child in node.children if child.type != "file_descriptor")
        descriptor = source.raw(node.children[0]) if node.children[0].type == "file_descriptor" else ""
        before = source.text[node.start_byte - 1 : node.start_byte]
        if descriptor and before and before not in " \t\n;&|(){}":
            self.walker.findings.doubt("misread", text=source.raw(node)[:60])
        sign = source.raw(operator)
        if sign.endswith("&-"):
            return
        placed = self.walker.reader.placed_words(operator.end_byte, node.end_byte)
        if not placed or not placed[0][1]:
            self.walker.findings.doubt("structure", text=source.raw(node)[:60])
            return
        for _, more in placed[1:]:
            self.words.extend(more)
        for word in placed[0][1]:
            self._use(sign, descriptor, word)

    def _use(self, sign: str, descriptor: str, word: Word) -> None:
        if sign in (">&", "<&") and word.literal and _DESCRIPTOR.fullmatch(word.text):
            self._duplicate(sign, descriptor, word.text)
            return
        network = _NETWORK.fullmatch(word.text)
        if network:
            self.walker.findings.hosts[network[1]] = None
            self.flow = replace(self.flow, classes=self.flow.classes | {"@network", "@upload"})
        if sign in _WRITES:
            self._write(sign, descriptor, word)
        else:
            for use in uses_of(word, self.walker.variables, f"{sign} {word.text}"):
                self.walker.findings.reads[use] = None
            if descriptor in ("", "0"):
                self.flow = replace(self.flow, stdin=None if word.text == "/dev/null" else Input())
            self.harmless = self.harmless and word.text == "/dev/null"

    def _duplicate(self, sign: str, descriptor: str, target: str) -> None:
        if sign == "<&" and descriptor in ("", "0") and target != "-":
            self.flow = replace(self.flow, stdin=Input())
            self.harmless = False
        if sign == ">&" and descriptor == "2" and target == "1" and self._output_discarded:
            self.flow = replace(self.flow, hides_errors=True)
        if sign == ">&" and descriptor in ("", "1"):
            self.moves_output = True

    def _write(self, sign: str, descriptor: str, word: Word) -> None:
        errors = descriptor == "2" or sign in ("&>", "&>>") or (sign == ">&" and not descriptor)
        output = descriptor in ("", "1")
        self.moves_output = self.moves_output or output
        if word.literal and _HARMLESS.fullmatch(word.text):
            discarded = word.text == "/dev/null"
            self._output_discarded = discarded if output else self._output_discarded
            self.flow = replace(self.flow, hides_errors=self.flow.hides_errors or (discarded and errors))
            return
        self.harmless = False
        if word.substitution:
            return
        classes = {"@redirect"}
        for use in uses_of(word, self.walker.variables, f"{sign} {word.text}", hidden=True):
            self.walker.findings.writes[use] = None
            if not use.literal or self.walker.findings.is_outside(use.path):
                classes.add("@redirect_outside")
        self.flow = replace(self.flow, classes=self.flow.classes | classes)
