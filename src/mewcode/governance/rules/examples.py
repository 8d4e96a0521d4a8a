"""A rule's own examples: `match` must fit, `not_match` must not. Checked when the rule is loaded."""

from collections.abc import Mapping
from pathlib import Path

from mewcode.calls import Access, Effect, Json, Principal, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.governance.request import Request
from mewcode.governance.rules.arguments import Pairs
from mewcode.governance.rules.matching import allows, allows_command, tightens
from mewcode.governance.rules.name import EXACT
from mewcode.governance.rules.pairs import parse_pairs
from mewcode.governance.rules.rule import Rule
from mewcode.tools import Tool

_PATH_TOOLS = frozenset({"read_file", "write_file", "edit_file"})
_NOWHERE = Path("/workspace")


def failing_examples(rule: Rule) -> tuple[tuple[str, bool], ...]:
    """The examples that the rule judges otherwise than it says, each with whether it should have matched."""
    wrong = [(text, True) for text in rule.match if not _matches(rule, text)]
    return tuple(wrong + [(text, False) for text in rule.not_match if _matches(rule, text)])


def _matches(rule: Rule, example: str) -> bool:
    request = Request(_Example(rule, example), _arguments(rule, example), Principal("example"), (_NOWHERE,))
    if rule.effect is not Effect.ALLOW:
        return tightens(rule, request)
    if not request.commands:
        return allows(rule, request, ())
    commands = [command for lines in request.commands for command in lines.commands if not command.transparent]
    return bool(commands) and all(allows_command(rule, command, request, ()) for command in commands)


def _arguments(rule: Rule, example: str) -> Mapping[str, Json]:
    """The arguments that an example stands for: pairs for a rule of pairs, else the main argument."""
    pairs = parse_pairs(example) if isinstance(rule.arguments, Pairs) else None
    if pairs is None:
        return {_main_of(rule): example}
    return {key: pattern.text for key, pattern in pairs.entries}


def _main_of(rule: Rule) -> str:
    name = rule.name.text
    if name == "run_command":
        return "command"
    return "path" if name in _PATH_TOOLS else "main"


class _Example(Tool):
    """The tool that a rule speaks about, as far as an example needs it."""

    description = ""

    def __init__(self, rule: Rule, example: str) -> None:
        self.name = "x".join(rule.name.wildcard.parts)
        if rule.name.exact:
            server, _, tool = self.name[len(EXACT) :].partition("/")
            self.server, self.name = server, tool
        self.main_argument = _main_of(rule)
        keys = [self.main_argument]
        if isinstance(rule.arguments, Pairs):
            keys += [key for key, _ in rule.arguments.entries]
        self.parameters = {"properties": dict.fromkeys(keys, True)}

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        if self.name == "run_command" and "command" in arguments:
            return (Subject(SubjectKind.COMMAND, arguments["command"], Access.EXECUTE),)
        if self.name in _PATH_TOOLS and "path" in arguments:
            access = Access.READ if self.name == "read_file" else Access.WRITE
            return (Subject(SubjectKind.PATH, arguments["path"], access),)
        return ()

    async def execute(self, call: ToolCall) -> ToolResult:
        raise AssertionError("an example is never run")
