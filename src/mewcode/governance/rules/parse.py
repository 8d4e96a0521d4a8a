"""Reads a rule's text."""

import re
from collections.abc import Sequence

from mewcode.calls import Effect, Source
from mewcode.governance.rules.arguments import AnyArguments, ArgumentPattern, MainArgument
from mewcode.governance.rules.name import EXACT, NamePattern
from mewcode.governance.rules.pairs import parse_pairs
from mewcode.governance.rules.problem import RuleError
from mewcode.governance.rules.rule import USER, Rule

LONGEST = 4_000
"""Characters of a rule: more is a mistake, and would be slow to match."""
_NAME = re.compile(r"[^\s()]+")


def parse_rule(
    text: str,
    effect: Effect,
    *,
    source: Source = USER,
    reason: str | None = None,
    match: Sequence[str] = (),
    not_match: Sequence[str] = (),
) -> Rule:
    """A rule from `tool`, `tool(pattern)`, `tool(key=pattern, …)` or `mcp:server/tool(…)`. Raises RuleError."""
    name, arguments = split_rule(text)
    return Rule(
        text.strip(), effect, NamePattern(name), _arguments(arguments), source, reason, tuple(match), tuple(not_match)
    )


def split_rule(text: str) -> tuple[str, str | None]:
    """The name and what stands in the parentheses, None without any. Raises RuleError."""
    stripped = text.strip()
    if len(stripped) > LONGEST:
        raise RuleError("governance.rule_too_long", rule=stripped[:60] + "…", longest=LONGEST)
    name, opened, rest = stripped.partition("(")
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise RuleError("governance.rule_without_name", rule=stripped)
    if name.startswith(EXACT) and not all(name[len(EXACT) :].partition("/")):
        raise RuleError("governance.rule_exact_form", rule=stripped)
    if not opened:
        return name, None
    if not rest.endswith(")"):
        raise RuleError("governance.rule_not_closed", rule=stripped)
    inside = rest[:-1].strip()
    if not inside:
        raise RuleError("governance.rule_empty", rule=stripped, name=name)
    return name, inside


def _arguments(text: str | None) -> ArgumentPattern:
    if text is None or text in ("*", "**"):
        return AnyArguments()
    return parse_pairs(text) or MainArgument(text)
