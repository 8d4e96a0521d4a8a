"""`[ … ]` is a command like any other; `[[ … ]]` has a grammar of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from mewcode.governance.commands.flow import Flow
    from mewcode.governance.commands.walker import Walker

_COMPARES_NUMBERS = re.compile(r"\s-(?:eq|ne|lt|le|gt|ge)\s")
_VARIABLE_SET = re.compile(r"\s-[vR]\s")
_SAFE_OPERAND = re.compile(r"\s*\"?(?:-?\d+|\$[#?]|\$\{#\w+(?:\[[@*]\])?\}|\$\{?[A-Za-z_]\w*\}?)\"?\s*")


def test(walker: Walker, node: Node, flow: Flow) -> None:
    """Judges a `test_command` node."""
    text = walker.source.raw(node)
    if text.startswith("[["):
        _double(walker, node, text)
    elif text.startswith("[") and text.endswith("]"):
        walker.judge(walker.reader.words(node.start_byte, node.end_byte), flow, walker)
    else:
        walker.statement(node.children[0], flow) if text.startswith("((") else walker.reader.check_arithmetic(node)


def _double(walker: Walker, node: Node, text: str) -> None:
    rest = walker.reader.expansions_within(node)
    if not text.endswith("]]") or re.search(r"[;`]|(?<![&])&(?![&])", _without_quotes(rest)):
        walker.findings.doubt("misread", text=text[:80])
    if _VARIABLE_SET.search(rest):
        walker.findings.doubt("arithmetic", text=text[:80])
    for operand in _operands(text):
        walker.findings.evaluates(operand.strip(), text)
        if not _SAFE_OPERAND.fullmatch(operand):
            walker.findings.doubt("arithmetic", text=text[:80])


def _operands(text: str) -> list[str]:
    """Both sides of each numeric comparison, with what stands beside them: more than needed is only stricter."""
    parts = re.split(r"&&|\|\||[()!]", text.removeprefix("[[").removesuffix("]]"))
    comparisons = [part for part in parts if _COMPARES_NUMBERS.search(part)]
    return [side for part in comparisons for side in _COMPARES_NUMBERS.split(part)]


def _without_quotes(text: str) -> str:
    return re.sub(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.", "", text, flags=re.DOTALL)
