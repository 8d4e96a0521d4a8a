"""The rule language: `tool(arguments)` with allow, ask and deny, parsed, checked and matched.

A rule is parsed once when settings are read; matching it against a call touches no file and starts nothing.
"""

from mewcode.governance.rules.arguments import AnyArguments, ArgumentPattern, MainArgument, Pairs
from mewcode.governance.rules.name import NamePattern, ToolName
from mewcode.governance.rules.parse import parse_rule
from mewcode.governance.rules.rule import Rule, Scope
from mewcode.governance.rules.wildcard import Wildcard

__all__ = [
    "AnyArguments",
    "ArgumentPattern",
    "MainArgument",
    "NamePattern",
    "Pairs",
    "Rule",
    "Scope",
    "ToolName",
    "Wildcard",
    "parse_rule",
]
