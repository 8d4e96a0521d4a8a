"""Calls at once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mewcode.state.store import Store

LEASE = 900.0
"""Seconds after which a shared count begins anew, so that a process that died does not keep its slots for ever."""


@dataclass(frozen=True)
class Slot:
    key: str
    concurrent: int


class Slots(Protocol):
    async def take(self, slots: Sequence[Slot]) -> bool:
        """Takes all of `slots` or none; whether it did. Never waits for one."""
        ...

    async def give_back(self, slots: Sequence[Slot]) -> None: ...


class MemorySlots:
    """One process."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    async def take(self, slots: Sequence[Slot]) -> bool:
        if any(self._taken[slot.key] >= slot.concurrent for slot in slots):
            return False
        self._taken.update(slot.key for slot in slots)
        return True

    async def give_back(self, slots: Sequence[Slot]) -> None:
        for slot in slots:
            self._taken[slot.key] -= 1
            if self._taken[slot.key] <= 0:
                del self._taken[slot.key]


class StoreSlots:
    """Counts that replicas share."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def take(self, slots: Sequence[Slot]) -> bool:
        taken: list[Slot] = []
        for slot in slots:
            count = await self._store.incr(_key(slot), ttl=LEASE)
            taken.append(slot)
            if count > slot.concurrent:
                await self.give_back(taken)
                return False
        return True

    async def give_back(self, slots: Sequence[Slot]) -> None:
        for slot in slots:
            await self._store.incr(_key(slot), -1, ttl=LEASE)


def _key(slot: Slot) -> str:
    return f"slots:{slot.key}"
