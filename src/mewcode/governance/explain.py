"""`policy why`: the decision on a call, the rule behind it, and what would change it."""

from dataclasses import dataclass

from mewcode.calls import Effect
from mewcode.governance.judgement import Judgement
from mewcode.governance.policy import Policy
from mewcode.governance.request import Request
from mewcode.governance.rules.matching import tightens
from mewcode.governance.rules.rule import Rule, Scope
from mewcode.messages import message


@dataclass(frozen=True)
class Explanation:
    """`asked_twice` says why a second confirmation is wanted; `changes` say what would give another decision."""

    judgement: Judgement
    asked_twice: tuple[str, ...]
    changes: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        decision = self.judgement.decision
        return {
            "effect": decision.effect.value,
            "rule": decision.rule,
            "source": str(decision.source) if decision.source else None,
            "reason": decision.reason,
            "confirmation": list(self.asked_twice),
            "changes": list(self.changes),
        }


def explain(policy: Policy, request: Request) -> Explanation:
    judgement = policy.judge(request)
    risks = judgement.risks if judgement.effect is not Effect.DENY else ()
    return Explanation(judgement, risks, tuple(_changes(policy, request, judgement)))


def _changes(policy: Policy, request: Request, judgement: Judgement) -> list[str]:
    decision = judgement.decision
    if decision.effect is Effect.ALLOW:
        return [message("governance.change_allow", tool=request.tool.name)]
    if (rule := _ruled_by(policy, request)) is not None:
        scope = "governance.change_managed" if rule.scope is Scope.MANAGED else "governance.change_rule"
        return [message(scope, rule=rule.text, place=rule.source)]
    if decision.effect is Effect.DENY:
        return [message("governance.change_bound", reason=decision.reason)]
    if any(lines.starts_mewcode or lines.uncertain for lines in request.commands):
        return [message("governance.change_uncertain")]
    if judgement.suggestion is None:
        return [message("governance.change_split")]
    return [message("governance.change_suggestion", rule=judgement.suggestion)]


def _ruled_by(policy: Policy, request: Request) -> Rule | None:
    return next((rule for rule in (*policy.rules.denies, *policy.rules.asks) if tightens(rule, request)), None)
