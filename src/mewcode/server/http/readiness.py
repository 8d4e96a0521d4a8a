"""Whether new work should come here: not while the server ends, nor while what every call needs is away."""

from collections.abc import Awaitable, Callable, Mapping

import anyio

from mewcode.errors import MewCodeError

Look = Callable[[], Awaitable[None]]
"""Raises MewCodeError where it is away."""

WITHIN = 2.0
"""Seconds that a look may take: a probe that hears nothing for longer counts as failed anyway."""
FRESH_FOR = 1.0
"""Seconds for which an answer holds: probes come from everywhere, and must not become a load of their own."""


class Readiness:
    """`looks` are taken at what the server needs, by what is said when it is away."""

    def __init__(self, ending: Callable[[], bool], looks: Mapping[str, Look]) -> None:
        self._ending = ending
        self._looks = looks
        self._one_at_a_time = anyio.Lock()
        self._looked_at = float("-inf")
        self._away: str | None = None

    async def __call__(self) -> str | None:
        """Why no new work should come; None where it may."""
        if self._ending():
            return "draining"
        async with self._one_at_a_time:
            if anyio.current_time() - self._looked_at >= FRESH_FOR:
                self._away = await self._look()
                self._looked_at = anyio.current_time()
            return self._away

    async def _look(self) -> str | None:
        away: dict[str, None] = {}

        async def look(what: str, at: Look) -> None:
            away[what] = None
            with anyio.move_on_after(WITHIN):
                try:
                    await at()
                except MewCodeError:
                    return
                del away[what]

        async with anyio.create_task_group() as tasks:
            for what, at in self._looks.items():
                tasks.start_soon(look, what, at)
        return "; ".join(what for what in self._looks if what in away) or None
