"""`mewcode policy`: check the rules, ask what they say about a call, and test them against a table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from mewcode.calls import Decision, Door, Effect
from mewcode.cli.options import Allow, AsPrincipal, Confirm, Deny, JsonOutput, TrustProject
from mewcode.cli.output import note, print_json, print_rows, print_text
from mewcode.errors import UsageError
from mewcode.messages import message, reason_shown

if TYPE_CHECKING:
    from mewcode.config import LoadedSettings
    from mewcode.governance import Policy, Request, Roles
    from mewcode.governance.rules.problem import RuleProblem
    from mewcode.tools import Tool

app = typer.Typer(no_args_is_help=True)


@dataclass(frozen=True)
class Desk:
    """The policy of this workspace and what it takes to ask it; no server is started."""

    loaded: "LoadedSettings"
    policy: "Policy"
    roles: "Roles"
    tools: "tuple[Tool, ...]"
    servers: tuple[str, ...]
    workspace: Path
    mode: str
    user: str

    def request(self, call: str, who: str | None = None, arguments: str | None = None) -> "Request | None":
        """The call as the policy sees it, None where there is no such tool."""
        from mewcode.governance import Mode, Request
        from mewcode.governance.imagined import read_call

        found = read_call(call, self.tools, self.servers, arguments)
        if found is None:
            from mewcode.app.late_tools import late_tools

            found = read_call(call, late_tools(), (), arguments)
        if found is None:
            return None
        principal = self.roles.principal(who or self.user, Door.TERMINAL)
        return Request(*found, principal, (self.workspace,), mode=Mode(self.mode))


@app.callback()
def outside() -> None:
    """Check the rules, ask what they say about a call, test them."""
    from mewcode.cli.mcp_settings import refuse_in_session

    refuse_in_session("policy")


@app.command()
def check(as_json: JsonOutput = False, trust_project: TrustProject = False) -> None:
    """Find rules that can never match, that others make idle, or whose examples fail. Exit code 2 for errors."""
    from mewcode.app.rule_check import known_to
    from mewcode.governance.rules.check import check_rules
    from mewcode.governance.rules.problem import Severity

    desk = _desk(trust_project=trust_project)
    problems = check_rules(tuple(desk.policy.rules), known_to(desk.loaded, desk.tools))
    settings = [problem for problem in desk.loaded.problems if problem.key.startswith("permissions") or not problem.key]
    if as_json:
        print_json(
            [
                *map(_as_json, problems),
                *(
                    {"severity": p.severity, "message": p.message, "rule": None, "source": str(p.place)}
                    for p in settings
                ),
            ]
        )
    else:
        for problem in problems:
            print_text(f"{problem.source}: {problem.severity.value}: {problem.message}")
        for problem in settings:
            print_text(f"{problem.place}: {problem.severity}: {problem.message}")
        if not problems and not settings:
            print_text(message("governance.no_problems", count=len(desk.policy.rules.rules)))
    failed = any(p.severity is Severity.ERROR for p in problems) or any(p.severity == "error" for p in settings)
    raise typer.Exit(2 if failed else 0)


@app.command()
def why(
    call: Annotated[str, typer.Argument(help="A call: run_command(git push), read_file(path=a.py), mcp_server_tool.")],
    arguments: Annotated[str | None, typer.Option("--args", help="The arguments as a JSON object.")] = None,
    who: AsPrincipal = None,
    mode: Annotated[str | None, typer.Option("--mode", help="plan, default, accept-edits or auto.")] = None,
    allow: Allow = None,
    deny: Deny = None,
    confirm: Confirm = None,
    trust_project: TrustProject = False,
    as_json: JsonOutput = False,
) -> None:
    """The decision on a call, the rule with its file and line, and what would change it."""
    from mewcode.governance.explain import explain

    desk = _desk(
        mode=mode,
        allow=tuple(allow or ()),
        deny=tuple(deny or ()),
        confirm=tuple(confirm or ()),
        trust_project=trust_project,
    )
    request = desk.request(call, who, arguments)
    if request is None:
        unknown = _no_such_tool(call)
        answer: dict[str, object] = {
            "effect": unknown.effect.value,
            "rule": None,
            "source": None,
            "reason": unknown.reason,
        }
        print_json(answer) if as_json else print_text(f"{unknown.effect.value}: {unknown.reason}")
        return
    explanation = explain(desk.policy, request)
    if as_json:
        print_json(explanation.to_json())
        return
    decision = explanation.judgement.decision
    print_text(f"{decision.effect.value}: {reason_shown(decision.reason)}")
    if decision.rule:
        print_text(f"  rule: {decision.rule}")
    if decision.source:
        print_text(f"  from: {decision.source}")
    for risk in explanation.asked_twice:
        print_text(f"  confirmed a second time: {reason_shown(risk)}")
    for change in explanation.changes:
        print_text(f"  to change it: {change}")
    _say_what_waits(desk.loaded)


def _say_what_waits(loaded: "LoadedSettings") -> None:
    """A rule that stands in the project's file and is not heard is what people look for here."""
    from mewcode.app.proposed import how_to_agree, proposed

    for waiting in loaded.untrusted:
        if waiting.kind == "rules":
            note(f"{proposed(waiting)}; {how_to_agree(waiting)}")


@app.command("test")
def test_table(
    file: Annotated[Path, typer.Argument(help="A YAML list of {call, effect, as, mode, args}.")],
    trust_project: TrustProject = False,
    as_json: JsonOutput = False,
) -> None:
    """Hold the rules against a table of expectations. Exit code 1 when one fails."""
    desk = _desk(trust_project=trust_project)
    rows = [_tried(desk, entry, file) for entry in _table(file)]
    failed = [row for row in rows if not row["ok"]]
    if as_json:
        print_json(rows)
    else:
        columns = ("Call", "Expected", "Decision", "Rule", "Source")
        print_rows(columns, [(r["call"], r["expected"], r["effect"], r["rule"], r["source"]) for r in failed])
    counts = {"count": len(rows), "failed": len(failed)}
    note(message("governance.test_failed" if failed else "governance.test_passed", **counts))
    raise typer.Exit(1 if failed else 0)


def _tried(desk: Desk, entry: Mapping[str, Any], file: Path) -> dict[str, Any]:
    import json
    from dataclasses import replace

    call, expected = entry.get("call"), entry.get("effect")
    if not isinstance(call, str) or expected not in ("allow", "ask", "deny"):
        raise UsageError("governance.table_unreadable", file=file, why=f"an entry has no call or effect: {dict(entry)}")
    arguments = json.dumps(entry["args"]) if "args" in entry else None
    mode = str(entry.get("mode", desk.mode))
    request = replace(desk, mode=mode).request(call, entry.get("as"), arguments)
    decision = desk.policy.decide(request) if request is not None else _no_such_tool(call)
    return {
        "call": call,
        "expected": expected,
        "effect": decision.effect.value,
        "rule": decision.rule,
        "source": str(decision.source) if decision.source else None,
        "reason": decision.reason,
        "ok": decision.effect.value == expected,
    }


def _table(file: Path) -> Iterator[Mapping[str, Any]]:
    from ruamel.yaml import YAML, YAMLError

    try:
        content: Any = cast("Any", YAML(typ="safe")).load(file.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, YAMLError) as error:
        raise UsageError("governance.table_unreadable", file=file, why=str(error).splitlines()[0]) from error
    if not isinstance(content, list) or not all(isinstance(entry, Mapping) for entry in cast("list[Any]", content)):
        raise UsageError("governance.table_unreadable", file=file, why="it is no list of entries")
    yield from cast("list[Mapping[str, Any]]", content)


def _no_such_tool(call: str) -> Decision:
    return Decision(Effect.DENY, f"there is no tool behind {call!r}: no built-in, and no configured server fits")


def _as_json(problem: "RuleProblem") -> dict[str, str]:
    return {
        "severity": problem.severity.value,
        "message": problem.message,
        "rule": problem.rule,
        "source": str(problem.source),
    }


def _desk(mode: str | None = None, **more: Any) -> Desk:
    from mewcode.app.builtins import builtin_settings
    from mewcode.app.loading import load_for, workspace_here
    from mewcode.app.options import AppOptions
    from mewcode.app.policy import build_policy, roles_of
    from mewcode.app.principals import local_user
    from mewcode.config import Paths
    from mewcode.tools.builtin import builtin_tools

    options = AppOptions(door=Door.TERMINAL, workspace=workspace_here(), mode=mode, **more)
    paths = Paths.from_environment(options.environ)
    loaded = load_for(options, paths)
    servers = tuple(loaded.settings.mcp_servers)
    return Desk(
        loaded=loaded,
        policy=build_policy(
            options, loaded, paths, servers=lambda: servers, hides=lambda: loaded.settings.sandbox.mode != "off"
        ),
        roles=roles_of(loaded),
        tools=tuple(builtin_tools(builtin_settings(loaded, paths, dict(options.environ)), environ=options.environ)),
        servers=servers,
        workspace=options.workspace,
        mode=mode or loaded.settings.mode,
        user=local_user(options),
    )
