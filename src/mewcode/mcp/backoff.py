"""How long to wait between attempts to connect."""

import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Backoff:
    """Pauses in seconds: they double from `first` to `longest`, with a fifth of jitter so that clients do not march in
    step."""

    first: float = 0.5
    longest: float = 30.0
    rng: random.Random = field(default_factory=random.Random, repr=False)

    def pause(self, attempt: int) -> float:
        """Seconds before attempt number `attempt`; 1 is the first repetition."""
        doubled = self.first * 2.0 ** min(attempt - 1, 30)
        return min(self.longest, doubled) * self.rng.uniform(0.8, 1.2)
