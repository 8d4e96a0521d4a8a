"""How often, how many at once, how long, and when a server that fails is left alone. Nobody waits in a queue."""

from mewcode.governance.limits.admission import Admission, LimitRules, Ticket
from mewcode.governance.limits.breaker import Breaker, BreakerRules, BreakerState
from mewcode.governance.limits.deadlines import Deadlines
from mewcode.governance.limits.slots import MemorySlots, Slots
from mewcode.governance.limits.window import Hit, MemoryWindow, RateWindow

__all__ = [
    "Admission",
    "Breaker",
    "BreakerRules",
    "BreakerState",
    "Deadlines",
    "Hit",
    "LimitRules",
    "MemorySlots",
    "MemoryWindow",
    "RateWindow",
    "Slots",
    "Ticket",
]
