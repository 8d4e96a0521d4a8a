"""Here-documents. The grammar is at its weakest here, so where the body begins and ends is found a second time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from mewcode.governance.commands.walker import Walker

_QUOTES = re.compile(r"['\"\\]")
_PIECES = frozenset(("heredoc_start", "heredoc_body", "heredoc_end"))
_FOLLOWS = frozenset(("pipeline", "&&", "||", "operator", "|", "|&"))


def read_heredoc(walker: Walker, node: Node) -> tuple[str | None, list[Node]]:
    """The document's text where it is known, and the redirections and words that follow on the same line."""
    pieces = {child.type: child for child in node.children}
    start, body = pieces.get("heredoc_start"), pieces.get("heredoc_body")
    strips = node.children[0].type == "<<-" or (len(node.children) > 1 and node.children[1].type == "<<-")
    others = [
        child
        for at, child in enumerate(node.children)
        if child.is_named
        and child.type not in _PIECES
        and child.type not in ("file_descriptor", "pipeline")
        and node.field_name_for_child(at) != "right"
    ]
    if start is None:
        walker.findings.doubt("structure", text=walker.source.raw(node)[:60])
        return None, others
    delimiter = walker.source.raw(start)
    quoted = _QUOTES.search(delimiter) is not None
    extent = _extent(walker.source.text, start.end_byte, re.sub(_QUOTES, "", delimiter), strips)
    if extent is None or not _agrees(walker, body, extent) or "\\" in delimiter or "$" in delimiter or "`" in delimiter:
        walker.findings.doubt("misread", text=walker.source.raw(node)[:60])
        return None, others
    text = walker.source.text[extent[0] : extent[1]]
    if strips:
        text = re.sub(r"^\t+", "", text, flags=re.MULTILINE)
    if not quoted:
        without = walker.reader.expansions_within(body) if body is not None else ""
        if body is not None and (without != walker.source.raw(body) or re.search(r"[\\$`]", without)):
            return None, others
    return text.encode("latin-1").decode("utf-8", "surrogateescape"), others


def continuation(node: Node) -> list[Node]:
    """What goes on behind a here-document on its line: the rest of a pipeline, or the right side of `&&`."""
    return [
        child
        for at, child in enumerate(node.children)
        if child.type == "pipeline" or node.field_name_for_child(at) == "right"
    ]


def _extent(text: str, after: int, delimiter: str, strips: bool) -> tuple[int, int] | None:
    """Where the document begins and ends: from the next line to the line that is the delimiter."""
    begin = text.find("\n", after) + 1
    if begin == 0:
        return None
    at = begin
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line = text[at:stop]
        if (line.lstrip("\t") if strips else line) == delimiter:
            return begin, at
        at = stop + 1
    return None


def _agrees(walker: Walker, body: Node | None, extent: tuple[int, int]) -> bool:
    if body is None:
        return extent[0] == extent[1]
    text = walker.source.text
    slack = "\t" if text[extent[0] : body.start_byte].strip("\t") == "" else ""
    begins = body.start_byte == extent[0] or (bool(slack) and body.start_byte > extent[0])
    return begins and text[min(body.end_byte, extent[1]) : max(body.end_byte, extent[1])].strip("\t") == ""
