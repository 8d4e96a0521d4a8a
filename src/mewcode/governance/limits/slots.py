"""Calls at once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Slot:
    key: str
    concurrent: int


class Slots(Protocol):
    """`holder` names the call that has the places: one name for taking and giving back.

    Both raise StoreUnavailableError when the shared counters are away.
    """

    async def take(self, slots: Sequence[Slot], holder: str) -> bool:
        """Takes all of `slots` or none; whether it did. Never waits for one."""
        ...

    async def give_back(self, slots: Sequence[Slot], holder: str) -> None: ...


class MemorySlots:
    """One process."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    async def take(self, slots: Sequence[Slot], holder: str) -> bool:
        if any(self._taken[slot.key] >= slot.concurrent for slot in slots):
            return False
        self._taken.update(slot.key for slot in slots)
        return True

    async def give_back(self, slots: Sequence[Slot], holder: str) -> None:
        for slot in slots:
            self._taken[slot.key] -= 1
            if self._taken[slot.key] <= 0:
                del self._taken[slot.key]
