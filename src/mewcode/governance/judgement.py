"""What the policy says about a call: the decision, and what else the gate must know to act on it."""

from dataclasses import dataclass

from mewcode.calls import Decision, Effect, Source
from mewcode.governance.roles import Role
from mewcode.governance.rules.rule import Rule, Scope


@dataclass(frozen=True)
class Judgement:
    """`explicit` is True where a rule that somebody wrote allowed the call. `lasting` is False where an approval may
    not be remembered. `risks` say why the call wants a second confirmation; empty where it wants none.
    `confirmed` is True where a rule of `--confirm` has answered a second look in advance. `role` is the one that
    the call was judged by. `suggestion` is the narrowest sensible rule that would spare the question.
    """

    decision: Decision
    explicit: bool = False
    lasting: bool = True
    risks: tuple[str, ...] = ()
    confirmed: bool = False
    role: Role | None = None
    suggestion: str | None = None

    @property
    def effect(self) -> Effect:
        return self.decision.effect


def by_rule(rule: Rule, effect: Effect | None = None) -> Decision:
    return Decision(effect or rule.effect, rule.explanation, rule.text, rule.source)


def by_default(effect: Effect, reason: str, scope: Scope = Scope.DEFAULT) -> Decision:
    return Decision(effect, reason, None, Source(scope.value))
