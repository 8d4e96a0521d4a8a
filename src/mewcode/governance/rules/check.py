"""What is wrong with a set of rules: examples that fail, rules that can never match, rules that others make idle."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from mewcode.calls import Effect
from mewcode.governance.rules.arguments import AnyArguments, MainArgument, Pairs
from mewcode.governance.rules.examples import failing_examples
from mewcode.governance.rules.meant import meant_name
from mewcode.governance.rules.name import EXACT, ToolName
from mewcode.governance.rules.problem import RuleProblem, Severity
from mewcode.governance.rules.rule import Rule, Scope
from mewcode.governance.rules.wildcard import Wildcard
from mewcode.messages import message
from mewcode.tools import Tool

_STRICTNESS = {Effect.DENY: 0, Effect.ASK: 1, Effect.ALLOW: 2}


@dataclass(frozen=True)
class Known:
    """What a rule may speak about: the `servers` that are configured, the built-in `tools`, and the names of our
    `other` tools."""

    servers: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    others: tuple[str, ...] = ()


def check_rules(rules: Sequence[Rule], known: Known) -> tuple[RuleProblem, ...]:
    """Everything that somebody should know about the rules."""
    found = [
        *(problem for rule in rules for problem in _of_one(rule, known)),
        *(problem for at, rule in enumerate(rules) for problem in _of_pair(rule, at, rules)),
    ]
    return tuple(found)


def wrong_rules(rules: Sequence[Rule], known: Known) -> tuple[RuleProblem, ...]:
    """Only what is certainly a mistake: whoever wrote such a rule believes in a protection that is not there."""
    return tuple(problem for rule in rules for problem in _mistakes(rule, known) if problem.severity is Severity.ERROR)


def _of_one(rule: Rule, known: Known) -> Iterator[RuleProblem]:
    yield from _mistakes(rule, known)
    servers = known.servers
    candidates = rule.name.candidates(servers)
    if len(candidates) > 1:
        chosen = max(candidates, key=len)
        yield _problem(Severity.WARNING, rule, "governance.ambiguous", servers=", ".join(candidates), chosen=chosen)


def _mistakes(rule: Rule, known: Known) -> Iterator[RuleProblem]:
    for example, should_match in failing_examples(rule):
        code = "governance.example_not_matched" if should_match else "governance.example_matched"
        yield _problem(Severity.ERROR, rule, code, example=example)
    if (why := _impossible(rule, known)) is not None:
        yield why


def _impossible(rule: Rule, known: Known) -> RuleProblem | None:
    """The problem of a rule that no call can ever fit."""
    servers, tools = known.servers, known.tools
    if rule.name.exact:
        server = Wildcard(rule.name.text[len(EXACT) :].partition("/")[0])
        if any(server.matches(name) for name in servers):
            return None
        return _problem(
            Severity.WARNING, rule, "governance.no_such_server", name=server.text, near=_near(server.text, servers)
        )
    fitting = [tool for tool in tools if rule.name.tightens(ToolName.of(tool))]
    may_be_remote = _may_name_a_server(rule.name.wildcard, servers)
    if not fitting and not may_be_remote and tools and not any(map(rule.name.wildcard.matches_loosely, known.others)):
        return _of_no_tool(rule, known)
    if isinstance(rule.arguments, Pairs) and fitting and not may_be_remote:
        return _unknown_key(rule, rule.arguments, fitting)
    if isinstance(rule.arguments, MainArgument) and rule.arguments.text.startswith("!") and fitting:
        return _problem(Severity.ERROR, rule, "governance.negated_path")
    if rule.effect is Effect.ALLOW and rule.name.text == "run_command" and rule.arguments.text.endswith(":*"):
        return _problem(Severity.WARNING, rule, "governance.colon_star", meant=f"{rule.arguments.text[:-2]} *")
    return None


def _of_no_tool(rule: Rule, known: Known) -> RuleProblem:
    """A name that fits nothing: a mistake, unless it may well be meant for a server of another project."""
    name = rule.name.text
    meant = meant_name(name, known.servers, [*(tool.name for tool in known.tools), *known.others])
    if meant is None and name.startswith("mcp_"):
        return _problem(Severity.WARNING, rule, "governance.no_such_server", name=name, near="-")
    return _problem(Severity.ERROR, rule, "governance.no_such_tool", name=name, near=meant or "-")


def _unknown_key(rule: Rule, pairs: Pairs, tools: Sequence[Tool]) -> RuleProblem | None:
    names = {name for tool in tools for name in dict(tool.parameters.get("properties", {}))}
    for key, _ in pairs.entries:
        if key.split(".")[0] not in names and not any(tool.main_argument == "command" for tool in tools):
            return _problem(Severity.ERROR, rule, "governance.no_such_key", key=key, near=_near(key, sorted(names)))
    return None


def _may_name_a_server(name: Wildcard, servers: tuple[str, ...]) -> bool:
    """Whether some tool of a configured server could have such a name."""
    return any(
        f"mcp_{server}_".startswith(name.prefix) or name.prefix.startswith(f"mcp_{server}_") for server in servers
    ) and (not name.literal or name.text.startswith("mcp_"))


def _of_pair(rule: Rule, at: int, rules: Sequence[Rule]) -> Iterator[RuleProblem]:
    """The first other rule that leaves this one nothing to decide."""
    for other_at, other in enumerate(rules):
        if other_at == at or not _covers(other, rule):
            continue
        if _STRICTNESS[other.effect] < _STRICTNESS[rule.effect] and not _answers(rule, other):
            yield _problem(Severity.WARNING, rule, "governance.shadowed", other=other.text, place=other.source)
            return
        same_scope = other.effect is rule.effect and other_at < at
        if same_scope and (other.scope is rule.scope or other.scope is Scope.MANAGED):
            yield _problem(Severity.WARNING, rule, "governance.dead", other=other.text, place=other.source)
            return


def _answers(rule: Rule, asking: Rule) -> bool:
    """Whether an allow of the command line answers that ask."""
    return rule.scope is Scope.COMMAND_LINE and asking.effect is Effect.ASK and asking.scope is not Scope.MANAGED


def _covers(broad: Rule, narrow: Rule) -> bool:
    """Whether every call that `narrow` means is surely meant by `broad`, too."""
    if not broad.name.wildcard.covers(narrow.name.wildcard):
        return False
    if isinstance(broad.arguments, AnyArguments):
        return True
    if type(broad.arguments) is not type(narrow.arguments):
        return False
    if broad.arguments.text == narrow.arguments.text:
        return True
    is_command = broad.name.text == "run_command" and isinstance(broad.arguments, MainArgument)
    return is_command and _covers_words(broad.arguments.text, narrow.arguments.text)


def _covers_words(broad: str, narrow: str) -> bool:
    """Command patterns: a last ` *` also stands for nothing."""
    if broad.startswith("@") or narrow.startswith("@"):
        return broad == narrow
    return Wildcard(broad).covers(Wildcard(narrow)) or (broad.endswith(" *") and broad[:-2] == narrow)


def _near(name: str, names: Sequence[str]) -> str:
    close = get_close_matches(name, names, n=1, cutoff=0.6)
    return close[0] if close else "-"


def _problem(severity: Severity, rule: Rule, code: str, **values: object) -> RuleProblem:
    return RuleProblem(severity, message(code, rule=rule.text, **values), rule.text, rule.source)
