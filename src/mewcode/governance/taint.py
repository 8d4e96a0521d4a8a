"""What a session has read that others wrote."""

import time
from dataclasses import dataclass, field

from mewcode.calls import Origin, Trust


@dataclass(frozen=True)
class Reading:
    """Content that entered the conversation. `step` counts the session's calls, `at` is seconds since the epoch."""

    trust: Trust
    origin: Origin
    step: int
    at: float

    @property
    def title(self) -> str:
        place = self.origin.place or self.origin.tool or "content"
        return f"{place} (server {self.origin.server})" if self.origin.server else place


@dataclass
class Taint:
    """The latest reading of each server (or tool) and trust, which is enough to say why a call is asked again."""

    step: int = 0
    readings: dict[tuple[Trust, str], Reading] = field(default_factory=dict[tuple[Trust, str], Reading])

    def note(self, trust: Trust, origin: Origin) -> None:
        """A result entered the conversation."""
        self.step += 1
        if trust is not Trust.OWN:
            self.readings[trust, origin.server or ""] = Reading(trust, origin, self.step, time.time())

    def told(self, trust: Trust, origin: Origin) -> None:
        """Content that came with the prompt and not as a result; what is said again in every turn counts once."""
        self.readings.setdefault((trust, origin.server or ""), Reading(trust, origin, self.step, time.time()))

    def external(self, besides: str | None = None) -> Reading | None:
        """The latest content from outside, that of the server `besides` left aside."""
        found = [
            reading
            for (trust, server), reading in self.readings.items()
            if trust is Trust.EXTERNAL and (besides is None or server != besides)
        ]
        return max(found, key=lambda reading: reading.step, default=None)

    def nearby(self) -> Reading | None:
        """The latest content of the workspace, or what a server of the user's own choice says of itself."""
        found = [reading for (trust, _), reading in self.readings.items() if trust is Trust.WORKSPACE]
        return max(found, key=lambda reading: reading.step, default=None)

    def explain(self, reading: Reading) -> str:
        """`page X was read two steps ago`."""
        steps = self.step - reading.step
        ago = "in the step before" if steps == 0 else f"{steps + 1} steps ago"
        nearby = "what a server says of itself" if reading.origin.server else "the workspace's content"
        kind = "outside content" if reading.trust is Trust.EXTERNAL else nearby
        return f"{kind} was read {ago}: {reading.title}"
