"""May this call start now? All limits together, each refusal at once and with the time to wait."""

import logging
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import anyio

from mewcode.calls import Principal
from mewcode.governance.limits.slots import MemorySlots, Slot, Slots
from mewcode.governance.limits.window import Hit, MemoryWindow, RateWindow
from mewcode.governance.roles import RoleLimits, Roles
from mewcode.governance.rules.name import NamePattern, ToolName
from mewcode.state.store import StoreUnavailableError

_log = logging.getLogger(__name__)

_GIVE_BACK_WITHIN = 5.0
"""Seconds that a cancelled call may take to give its place back."""
_RETRY_BUSY = 1.0
"""Seconds after which a place among the calls at once may be free: nobody knows, so a short one."""


@dataclass(frozen=True)
class LimitRules:
    """`general` holds for each principal, `tools` (by name pattern) and `servers` for all principals together.

    `open_without_store`: let calls through uncounted while the shared counters are away, instead of refusing them.
    """

    general: RoleLimits = field(default_factory=lambda: RoleLimits(per_minute=600, concurrent=32))
    tools: Mapping[str, RoleLimits] = field(default_factory=dict[str, RoleLimits])
    servers: Mapping[str, RoleLimits] = field(default_factory=dict[str, RoleLimits])
    open_without_store: bool = False


@dataclass(frozen=True)
class Ticket:
    """A place among the calls at once, to be given back by its `holder`."""

    slots: tuple[Slot, ...]
    holder: str


@dataclass(frozen=True)
class Refusal:
    """Which limit was reached (`what` is a sentence), and after how many seconds to come back."""

    what: str
    retry_after: float


class Admission:
    def __init__(
        self,
        rules: LimitRules,
        roles: Roles,
        window: RateWindow | None = None,
        slots: Slots | None = None,
    ) -> None:
        self.rules = rules
        self._roles = roles
        self._window = window or MemoryWindow()
        self._slots = slots or MemorySlots()

    async def enter(self, principal: Principal, name: ToolName) -> Ticket | Refusal:
        """Raises StoreUnavailableError when shared counters are away."""
        limits = list(self._limits(principal, name))
        slots = tuple(Slot(key, limit.concurrent) for key, limit in limits if limit.concurrent is not None)
        ticket = Ticket(slots, uuid.uuid4().hex)
        if not await self._slots.take(slots, ticket.holder):
            most = min(slot.concurrent for slot in slots)
            return Refusal(f"{most} calls are running already, which is the most at once", _RETRY_BUSY)
        try:
            wait = await self._window.hit(
                [Hit(key, limit.per_minute) for key, limit in limits if limit.per_minute is not None]
            )
        except BaseException:
            await self.leave(ticket)
            raise
        if wait is None:
            return ticket
        await self.leave(ticket)
        return Refusal("the calls of this minute are used up", wait)

    async def leave(self, ticket: Ticket) -> None:
        """Gives the place back, also for a caller that is being cancelled. Where the shared counters are away just now,
        the place is free again when its lease ends."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(_GIVE_BACK_WITHIN):
            try:
                await self._slots.give_back(ticket.slots, ticket.holder)
            except StoreUnavailableError as error:
                _log.warning("a place among the calls at once was not given back: %s", error)

    def _limits(self, principal: Principal, name: ToolName) -> Iterator[tuple[str, RoleLimits]]:
        who = f"principal:{principal.name}"
        yield who, self.rules.general
        yield f"role:{principal.name}", self._roles.limits(principal)
        for pattern, limit in self.rules.tools.items():
            if NamePattern(pattern).tightens(name):
                yield f"tool:{pattern}", limit
        if name.server is not None and name.server in self.rules.servers:
            yield f"server:{name.server}", self.rules.servers[name.server]
