"""The policy: may this principal make this call? Pure, quick, and the same for every door."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from mewcode.calls import Access, Decision, Effect, Principal
from mewcode.governance.bounds import NO_COMMANDS, Bounds
from mewcode.governance.code_runners import runs_code
from mewcode.governance.coverage import covering_rule
from mewcode.governance.defaults import bound_by_patterns, bound_by_preset, default_decision, preset_denies
from mewcode.governance.judgement import Judgement, by_default, by_rule
from mewcode.governance.layers import Layers
from mewcode.governance.modes import Mode
from mewcode.governance.request import Request
from mewcode.governance.risks import risks_of
from mewcode.governance.roles import Role
from mewcode.governance.rules.arguments import AnyArguments
from mewcode.governance.rules.matching import closes_reading, tightens
from mewcode.governance.rules.name import ToolName
from mewcode.governance.rules.paths import PathPattern
from mewcode.governance.rules.rule import Rule, Scope
from mewcode.governance.suggestion import suggest
from mewcode.tools import Tool

if TYPE_CHECKING:
    from mewcode.governance.commands import Preset

_ANSWERABLE = frozenset({Scope.USER, Scope.PROJECT, Scope.SESSION})
"""Scopes whose asks `--allow` and a session's approvals answer. A managed ask is answered by a person, each time."""

_COMMANDS = ToolName("run_command", None, "run_command")


def _no_servers() -> Iterable[str]:
    return ()


def _hides_nothing() -> bool:
    return False


@dataclass(frozen=True)
class Policy:
    """`servers` gives the names of the configured MCP servers. `confirmed` are the rules of `--confirm`.
    `also_confirm` (rules) and `protected` (gitignore patterns) add to what is confirmed a second time.
    `commands` is the shipped set for command lines. `nothing_unasked` holds while a settings file is broken. `hides`
    tells whether commands run where what rules close is not there for them; it is asked only where that matters.
    """

    rules: Layers = field(default_factory=Layers)
    bounds: Bounds = field(default_factory=Bounds)
    confirmed: tuple[Rule, ...] = ()
    also_confirm: tuple[Rule, ...] = ()
    protected: tuple[str, ...] = ()
    commands: str = "blacklist"
    nothing_unasked: bool = False
    servers: Callable[[], Iterable[str]] = _no_servers
    hides: Callable[[], bool] = _hides_nothing

    def decide(self, request: Request) -> Decision:
        return self.judge(request).decision

    def judge(self, request: Request) -> Judgement:
        """The decision on a call, with what the gate needs to act on it."""
        servers = tuple(self.servers())
        if any(target.beneath for target in request.command_reads) and self.hides():
            request = request.less_beneath()
        if (refusal := self._refusal(request, servers)) is not None:
            return Judgement(refusal)
        judgement = self._after_refusals(request, servers)
        if self.nothing_unasked and judgement.effect is Effect.ALLOW:
            reason = "a settings file is broken, and nothing runs unasked until it is mended"
            judgement = Judgement(by_default(Effect.ASK, reason), lasting=False)
        if request.wary and judgement.effect is Effect.ALLOW and not judgement.explicit and _changes_anything(request):
            judgement = Judgement(by_default(Effect.ASK, "everything that this model writes or runs is asked about"))
        if request.mode is Mode.AUTO and judgement.effect is Effect.ASK:
            asked = judgement.decision
            refused = replace(asked, effect=Effect.DENY, reason=f"{asked.reason}; the mode auto never asks")
            return Judgement(refused)
        return self._finished(judgement, request, servers)

    def visible(self, principal: Principal, tool: Tool) -> bool:
        """Whether the principal sees the tool: one of its roles gives it, and no rule forbids all of it."""
        request = Request(tool, {}, principal, ())
        if not self.bounds.fitting(request, tuple(self.servers())):
            return False
        return not self.forbids_tool(tool)

    def forbids_tool(self, tool: Tool) -> bool:
        name = ToolName.of(tool)
        return any(isinstance(rule.arguments, AnyArguments) and rule.name.tightens(name) for rule in self.rules.denies)

    @cached_property
    def hash(self) -> str:
        """Identifies the policy in the audit: the SHA-256 of everything that decides."""
        parts = [
            *(f"{rule.effect.value} {rule.text} {rule.source}" for rule in self.rules),
            *(f"confirm {rule.text}" for rule in self.confirmed),
            *(f"also {rule.text}" for rule in self.also_confirm),
            repr(self.protected),
            repr(self.bounds),
            self.commands,
            str(self.nothing_unasked),
        ]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def preset(self, name: str | None = None) -> "Preset":
        from mewcode.governance.presets import load_preset

        return load_preset(name or self.commands)

    def _refusal(self, request: Request, servers: tuple[str, ...]) -> Decision | None:
        """What nothing loosens: bounds, denies, plan mode."""
        fitting = self.bounds.fitting(request, servers)
        if not fitting:
            return by_default(Effect.DENY, f"{request.principal.name} may not call {request.tool.name}")
        if denied := next((rule for rule in self.rules.denies if tightens(rule, request)), None):
            return by_rule(denied)
        if granted_deny := next((r for r in request.granted if r.effect is Effect.DENY and tightens(r, request)), None):
            return by_rule(granted_deny)
        crossed = [self._crossed(request, role) for role in fitting]
        if all(refusal is not None for refusal in crossed):
            return crossed[0]
        if request.commands and (refusal := preset_denies(self.preset(), request)) is not None:
            return refusal
        if request.mode is Mode.PLAN and _acts(request):
            return by_default(Effect.DENY, "the session is in plan mode, which only reads")
        return None

    def _crossed(self, request: Request, role: Role) -> Decision | None:
        if why := self.bounds.crossed(request, role):
            return by_default(Effect.DENY, why)
        if role.commands is None or not request.commands:
            return None
        if isinstance(role.commands, tuple):
            return bound_by_patterns(role.commands, role.name, request)
        preset = self.preset(role.commands)
        if preset.default == "deny":
            return bound_by_preset(preset, request)
        return preset_denies(preset, request)

    def _after_refusals(self, request: Request, servers: tuple[str, ...]) -> Judgement:
        asked = next((rule for rule in self.rules.asks if tightens(rule, request)), None)
        if asked is not None and asked.scope is Scope.MANAGED:
            return Judgement(by_rule(asked), lasting=False)
        if asked is not None and asked.scope in _ANSWERABLE:
            answering = [rule for rule in self.rules.allows if rule.scope is Scope.COMMAND_LINE]
            answer = covering_rule([*answering, *request.granted], request, servers)
            return Judgement(by_rule(asked)) if answer is None else Judgement(by_rule(answer), explicit=True)
        explicit = [*self.rules.allows, *request.granted]
        allowed = covering_rule(explicit, request, servers)
        if allowed is not None and (doubt := self._unknown_reading(request) or self._another_road(request, allowed)):
            return Judgement(by_default(Effect.ASK, doubt))
        if allowed is not None:
            return Judgement(by_rule(allowed), explicit=True)
        judgement = self._by_default(request, explicit, servers)
        if judgement.effect is Effect.ALLOW and (doubt := self._unknown_reading(request)) is not None:
            return Judgement(by_default(Effect.ASK, doubt))
        return judgement

    def _by_default(self, request: Request, explicit: Sequence[Rule], servers: tuple[str, ...]) -> Judgement:
        """Where no rule speaks: by the command set of whichever of the caller's roles lets the call through."""
        roles = self._within(request, servers) if request.commands else ()
        sets = {self._set_of(role): role for role in reversed(roles)} or {self.commands: None}
        judged = [
            Judgement(default_decision(partial(self.preset, name), request, explicit, servers), role=role)
            for name, role in reversed(sets.items())
        ]
        return next((judgement for judgement in judged if judgement.effect is Effect.ALLOW), judged[0])

    def _set_of(self, role: Role) -> str:
        """The shipped set for a role's commands: its own, unless the general one refuses whatever it does not name,
        which no role loosens."""
        own = role.commands if isinstance(role.commands, str) and role.commands != NO_COMMANDS else None
        return self.commands if own is None or self.preset().default == "deny" else own

    def _within(self, request: Request, servers: tuple[str, ...]) -> tuple[Role, ...]:
        """The caller's roles that the call lies wholly within."""
        return tuple(role for role in self.bounds.fitting(request, servers) if not self._crossed(request, role))

    def _unknown_reading(self, request: Request) -> str | None:
        """Why no rule on commands allows what a command reads: where that is will be known only as it runs, and it may
        be what a rule on paths keeps closed."""
        unknown = [target for target in request.command_reads if not target.literal]
        if moving := next((target for target in unknown if target.moving), None):
            return f"{moving.written} is another place for each process that opens it"
        closed = next((rule for rule in (*self.rules.denies, *self.rules.asks) if closes_reading(rule)), None)
        if closed is None:
            return None
        if vast := next((target for target in request.command_reads if not target.contents.complete), None):
            return f"it reads more beneath {vast.written} than can be looked through for what {closed.text} closes"
        if not unknown:
            return None
        return f"it reads {unknown[0].written}, known only as it runs, which may be what {closed.text} closes"

    def _another_road(self, request: Request, allowed: Rule) -> str | None:
        """Why an allow with a star in its name lets no server's tool run code where a rule forbids every command."""
        if allowed.name.wildcard.literal or not runs_code(request):
            return None
        closed = next((rule for rule in self.rules.denies if _forbids_commands(rule)), None)
        if closed is None:
            return None
        return f"{request.name.readable} runs code, {closed.text} forbids commands, and {allowed.text} does not name it"

    def _risks(self, request: Request) -> tuple[str, ...]:
        """Why the call wants a second confirmation: the built-in list, and what the settings add."""
        listed = [
            f"the setting confirmations.also lists {rule.text}" for rule in self.also_confirm if tightens(rule, request)
        ]
        paths = [
            f"{target.written} is protected by the setting confirmations.protected_paths"
            for target in request.all_paths
            if target.access is Access.WRITE
            and any(PathPattern(text).tightens(target, request.visible_roots) for text in self.protected)
        ]
        return (*risks_of(request), *listed, *paths)

    def _finished(self, judgement: Judgement, request: Request, servers: tuple[str, ...]) -> Judgement:
        """With what else the gate must know."""
        confirmed = bool(self.confirmed) and covering_rule(self.confirmed, request, servers) is not None
        risks = () if confirmed else self._risks(request)
        role = judgement.role or next(iter(self._within(request, servers)), None)
        return replace(judgement, risks=risks, confirmed=confirmed, role=role, suggestion=suggest(request))


def _forbids_commands(rule: Rule) -> bool:
    return isinstance(rule.arguments, AnyArguments) and rule.name.tightens(_COMMANDS)


def _changes_anything(request: Request) -> bool:
    """Any command, however harmless it looks, and any write."""
    return bool(request.commands) or _acts(request)


def _acts(request: Request) -> bool:
    if request.commands:
        return not all(analysis.reads_only for analysis in request.commands)
    effects = request.effects
    return effects.writes or effects.executes or effects.destructive
