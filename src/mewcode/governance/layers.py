"""The rules of a policy in the order in which they are asked: deny wins, then ask, then allow."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from mewcode.calls import Effect
from mewcode.governance.rules.rule import Rule, Scope


@dataclass(frozen=True)
class Layers:
    """A set of rules by effect. The order within an effect is that of the settings, widest scope first."""

    rules: tuple[Rule, ...] = ()

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    @cached_property
    def denies(self) -> tuple[Rule, ...]:
        return self._of(Effect.DENY)

    @cached_property
    def asks(self) -> tuple[Rule, ...]:
        """Those of the managed scope first: nothing answers them but a person."""
        return tuple(sorted(self._of(Effect.ASK), key=lambda rule: rule.scope is not Scope.MANAGED))

    @cached_property
    def allows(self) -> tuple[Rule, ...]:
        return self._of(Effect.ALLOW)

    def with_rules(self, more: Iterable[Rule]) -> "Layers":
        return Layers((*self.rules, *more))

    def _of(self, effect: Effect) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules if rule.effect is effect)
