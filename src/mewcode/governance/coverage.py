"""Do allow rules cover a call? A command line only where every command, every write and every read is covered."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mewcode.calls import Access
from mewcode.governance.request import Request
from mewcode.governance.rules.arguments import AnyArguments
from mewcode.governance.rules.matching import allows, allows_command, allows_path
from mewcode.governance.rules.paths import PathTarget, is_inside
from mewcode.governance.rules.rule import Rule
from mewcode.governance.sensitive import names_it

if TYPE_CHECKING:
    from mewcode.governance.commands import Analysis, Command, FileUse

_OF_REDIRECTIONS = frozenset({"@redirect", "@redirect_outside", "@discard"})
"""Classes that are not in a command's words: a rule that names the words does not cover them."""


def covering_rule(rules: Sequence[Rule], request: Request, servers: Sequence[str]) -> Rule | None:
    """The rule that allows the call, if rules allow all of it; the first of them where several were needed."""
    if not request.commands:
        rule = next((rule for rule in rules if allows(rule, request, servers)), None)
        opens = rule is not None and all(opens_secret(target, [rule], rules, request) for target in request.paths)
        return rule if opens else None
    lines = zip(request.commands, request.reads_by_line, strict=True)
    used = [_covering_lines(analysis, reads, rules, request, servers) for analysis, reads in lines]
    return used[0] if used and all(rule is not None for rule in used) else None


def command_rule(command: "Command", rules: Sequence[Rule], request: Request, servers: Sequence[str]) -> Rule | None:
    """The first rule that allows one command of the line."""
    return next((rule for rule in rules if allows_command(rule, command, request, servers)), None)


def opens_secret(target: PathTarget, used: Iterable[Rule], rules: Iterable[Rule], request: Request) -> bool:
    """Whether a path may be read: it holds no secret, or a rule means this very file."""
    return all(_is_opened(secret, target, used, rules, request) for secret in request.secrets_of(target))


def _is_opened(secret: str, target: PathTarget, used: Iterable[Rule], rules: Iterable[Rule], request: Request) -> bool:
    itself = target if secret == target.resolved else request.target(secret, Access.READ)
    named = [*used, *(rule for rule in rules if allows_path(rule, itself, request))]
    return any(names_it(rule, secret) for rule in named)


def _covering_lines(
    analysis: "Analysis",
    reads: Iterable[PathTarget],
    rules: Sequence[Rule],
    request: Request,
    servers: Sequence[str],
) -> Rule | None:
    if analysis.uncertain or analysis.starts_mewcode:
        return None
    acting = [command for command in analysis.commands if not command.transparent]
    by_command = [(command, command_rule(command, rules, request, servers)) for command in acting]
    used = [rule for _, rule in by_command if rule is not None]
    if not used or any(rule is None and not command.reads_only for command, rule in by_command):
        return None
    if any(_hides_more(command, rules, request, servers) for command in acting):
        return None
    if not all(_write_covered(use, used, rules, request) for use in analysis.writes):
        return None
    every_command_named = all(rule is not None for _, rule in by_command)
    if not all(_read_covered(target, used, rules, request, every_command_named) for target in reads):
        return None
    return used[0]


def _hides_more(command: "Command", rules: Sequence[Rule], request: Request, servers: Sequence[str]) -> bool:
    """Whether the command's redirections do what only a rule on their class, or on every command, may allow."""
    classes = command.classes & _OF_REDIRECTIONS - {"@redirect"}
    return any(not _allows_class(name, rules, request, servers) for name in classes)


def _allows_class(name: str, rules: Iterable[Rule], request: Request, servers: Sequence[str]) -> bool:
    return any(
        rule.name.allows(request.name, servers)
        and (isinstance(rule.arguments, AnyArguments) or rule.arguments.text.strip() == name)
        for rule in rules
    )


def _write_covered(use: "FileUse", used: Iterable[Rule], rules: Sequence[Rule], request: Request) -> bool:
    """A write is allowed as a write to that path. Within the workspace the rule on a command covers what the command
    is for (`touch FILE`), and a rule on all commands covers redirections too."""
    target = request.target(use.path, Access.WRITE, use.literal)
    if not target.literal:
        return False
    if any(allows_path(rule, target, request) for rule in rules):
        return True
    if not is_inside(target, request.roots):
        return False
    return not use.hidden or any(isinstance(rule.arguments, AnyArguments) for rule in used)


def _read_covered(
    target: PathTarget, used: Iterable[Rule], rules: Sequence[Rule], request: Request, every_command_named: bool
) -> bool:
    if not opens_secret(target, used, rules, request):
        return False
    if every_command_named or is_inside(target, request.visible_roots):
        return True
    return any(allows_path(rule, target, request) for rule in rules)
