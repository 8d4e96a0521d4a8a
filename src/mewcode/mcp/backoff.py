"""How long to wait between attempts to connect."""

import random

FIRST = 0.5
LONGEST = 30.0
"""Seconds."""


def pause(attempt: int, rng: random.Random) -> float:
    """Seconds before attempt number `attempt` (1 is the first repetition): doubling, with a fifth of jitter."""
    return min(LONGEST, FIRST * 2.0 ** (attempt - 1)) * rng.uniform(0.8, 1.2)
