"""What a turn may spend, and what it has spent."""

import time
from dataclasses import dataclass

from mewcode.errors import LimitReachedError
from mewcode.models.events import Finished


@dataclass(frozen=True)
class Limits:
    """None is no limit. `steps` counts requests to the model, `cost` is US dollars, `seconds` is wall time."""

    steps: int | None = None
    cost: float | None = None
    seconds: float | None = None

    def over(self, other: "Limits") -> "Limits":
        """These, and those of `other` where there is none here."""
        return Limits(
            other.steps if self.steps is None else self.steps,
            other.cost if self.cost is None else self.cost,
            other.seconds if self.seconds is None else self.seconds,
        )


@dataclass(frozen=True)
class Spent:
    """Tokens, and US dollars where the model's price is known. `input` counts cached tokens too."""

    steps: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float | None = 0.0

    def plus(self, finished: Finished) -> "Spent":
        """One more request. A cost once unknown stays unknown: a sum with a hole in it would mislead."""
        usage = finished.usage
        return self.joined(Spent(1, usage.input, usage.output, usage.cache_read, finished.cost))

    def joined(self, other: "Spent") -> "Spent":
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Spent(
            steps=self.steps + other.steps,
            input=self.input + other.input,
            output=self.output + other.output,
            cached=self.cached + other.cached,
            cost=cost,
        )


class Budget:
    """Holds a turn to its limits. The clock starts when it is made."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.spent = Spent()
        self._started = time.monotonic()
        self._steps_before = 0
        """Those that answered earlier messages of the person within the same turn."""

    @property
    def seconds_left(self) -> float | None:
        if self.limits.seconds is None:
            return None
        return max(0.0, self.limits.seconds - (time.monotonic() - self._started))

    def count(self, finished: Finished) -> None:
        self.spent = self.spent.plus(finished)

    def person_spoke(self) -> None:
        """The person wrote in the midst of the turn: the limit of steps is there for a model that runs alone."""
        self._steps_before = self.spent.steps

    def check(self) -> None:
        """Raises LimitReachedError when the next request to the model would go over a limit."""
        limits, spent = self.limits, self.spent
        if limits.steps is not None and spent.steps - self._steps_before >= limits.steps:
            raise LimitReachedError("agent.limit_steps", limit=limits.steps)
        if self.seconds_left == 0.0:
            raise self.out_of_time()
        if limits.cost is None or spent.steps == 0:
            return
        if spent.cost is None:
            raise LimitReachedError("agent.limit_cost_unknown", limit=f"{limits.cost:g}")
        if spent.cost >= limits.cost:
            raise LimitReachedError("agent.limit_cost", limit=f"{limits.cost:g}", cost=f"{spent.cost:.4f}")

    def out_of_time(self) -> LimitReachedError:
        return LimitReachedError("agent.limit_seconds", limit=f"{self.limits.seconds:g}")
