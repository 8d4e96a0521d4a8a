"""Does a rule mean a call? Two questions: may it tighten (any reading will do), may it allow (nothing in doubt)."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mewcode.calls import Access, SubjectKind
from mewcode.governance.request import Request
from mewcode.governance.rules.arguments import AnyArguments, ArgumentPattern, MainArgument, Pairs
from mewcode.governance.rules.paths import PathPattern, PathTarget
from mewcode.governance.rules.rule import Rule
from mewcode.governance.rules.urls import url_allows, url_tightens
from mewcode.governance.rules.wildcard import Wildcard

if TYPE_CHECKING:
    from mewcode.governance.commands import Command

READERS = frozenset({"read_file"})
WRITERS = frozenset({"write_file", "edit_file"})
"""Rules on these tools speak about paths: whatever else would touch such a path is judged by them too."""


def tightens(rule: Rule, request: Request) -> bool:
    """Whether a deny or ask rule means this call."""
    if rule.name.tightens(request.name) and _arguments_tighten(rule.arguments, request):
        return True
    return guards_paths(rule) and any(path_tightens(rule, target, request) for target in request.all_paths)


def allows(rule: Rule, request: Request, servers: Iterable[str]) -> bool:
    """Whether an allow rule means this call as a whole; a command line is judged command by command instead."""
    return rule.name.allows(request.name, servers) and _arguments_allow(rule.arguments, request)


def allows_command(rule: Rule, command: "Command", request: Request, servers: Iterable[str]) -> bool:
    """Whether an allow rule means one command of the call's command line."""
    from mewcode.governance.commands import allows as command_allows

    if not rule.name.allows(request.name, servers):
        return False
    arguments = rule.arguments
    if isinstance(arguments, AnyArguments):
        return command_allows("*", command)
    if isinstance(arguments, Pairs) and _keys_are_known(arguments, request):
        return all(_pair_allows_command(key, pattern, command, request) for key, pattern in arguments.entries)
    return command_allows(arguments.text, command)


def guards_paths(rule: Rule) -> bool:
    """Whether the rule names a path of a built-in file tool, and so speaks about that path for every tool."""
    return isinstance(rule.arguments, MainArgument) and rule.name.text in READERS | WRITERS


def closes_reading(rule: Rule) -> bool:
    """Whether the rule speaks about paths that commands read, too."""
    return guards_paths(rule) and rule.name.text in READERS


def path_tightens(rule: Rule, target: PathTarget, request: Request) -> bool:
    """Whether a deny or ask rule on a file tool means this path. A write reads nothing, and a read writes nothing."""
    named = WRITERS if target.access is Access.WRITE else READERS
    return rule.name.text in named and PathPattern(rule.arguments.text).tightens(target, request.visible_roots)


def allows_path(rule: Rule, target: PathTarget, request: Request) -> bool:
    """Whether an allow rule on a file tool means this path."""
    named = WRITERS if target.access is Access.WRITE else READERS
    if rule.name.text not in named:
        return False
    if isinstance(rule.arguments, AnyArguments):
        return target.literal and PathPattern("**").allows(target, request.visible_roots)
    return isinstance(rule.arguments, MainArgument) and PathPattern(rule.arguments.text).allows(
        target, request.visible_roots
    )


def _arguments_tighten(arguments: ArgumentPattern, request: Request) -> bool:
    if isinstance(arguments, AnyArguments):
        return True
    if any(_value_tightens(arguments.text, value, request) for value in request.main_values):
        return True
    return isinstance(arguments, Pairs) and all(
        any(_value_tightens(pattern.text, value, request) for value in request.values_like(key))
        for key, pattern in arguments.entries
    )


def _arguments_allow(arguments: ArgumentPattern, request: Request) -> bool:
    if isinstance(arguments, AnyArguments):
        return True
    if isinstance(arguments, Pairs) and (not request.is_builtin or _keys_are_known(arguments, request)):
        return all(_values_allow(pattern.text, request.value_of(key), request) for key, pattern in arguments.entries)
    return _values_allow(arguments.text, request.main_values, request)


def _keys_are_known(arguments: Pairs, request: Request) -> bool:
    """Whether the keys are parameters of the tool; else the text with `=` in it is a pattern on the main argument."""
    return all(key in request.properties or key.split(".")[0] in request.properties for key, _ in arguments.entries)


def _pair_allows_command(key: str, pattern: Wildcard, command: "Command", request: Request) -> bool:
    from mewcode.governance.commands import allows as command_allows

    if key == request.tool.main_argument:
        return command_allows(pattern.text, command)
    return _values_allow(pattern.text, request.value_of(key), request)


def _values_allow(pattern: str, values: tuple[str, ...], request: Request) -> bool:
    return bool(values) and all(_value_allows(pattern, value, request) for value in values)


def _value_allows(pattern: str, value: str, request: Request) -> bool:
    kind = request.kind_of(value)
    if kind is SubjectKind.PATH:
        return PathPattern(pattern).allows(request.path_of(value), request.visible_roots)
    if kind is SubjectKind.URL:
        return url_allows(pattern, value)
    if kind is SubjectKind.COMMAND:
        return False
    return Wildcard(pattern).matches(value)


def _value_tightens(pattern: str, value: str, request: Request) -> bool:
    kind = request.kind_of(value)
    if kind is SubjectKind.PATH:
        return PathPattern(pattern).tightens(request.path_of(value), request.visible_roots)
    if kind is SubjectKind.URL:
        return url_tightens(pattern, value)
    if kind is SubjectKind.COMMAND:
        return _command_tightens(pattern, request)
    return Wildcard(pattern).matches_loosely(value)


def _command_tightens(pattern: str, request: Request) -> bool:
    from mewcode.governance.commands import matches

    return any(matches(pattern, command) for line in request.commands for command in line.commands)
