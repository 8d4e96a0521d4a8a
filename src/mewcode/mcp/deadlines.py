"""A deadline that progress extends, and a longest time that nothing extends."""

import math
from collections.abc import Generator
from contextlib import contextmanager

import anyio

from mewcode.mcp.errors import TimedOutError


class IdleDeadline:
    """Ends a block after `idle` seconds without a sign of life, and after `longest` seconds in any case.

    Use it as `with deadline.running():`; it raises TimedOutError there. While somebody is asked (`paused`), no clock
    runs.
    """

    def __init__(self, idle: float, longest: float) -> None:
        self._idle = min(idle, longest)
        self._longest = longest
        self._scope = anyio.CancelScope()
        self._end = math.inf
        self._paused = 0

    @contextmanager
    def running(self) -> Generator[None, None, None]:
        self._end = anyio.current_time() + self._longest
        self.extend()
        with self._scope:
            yield
        if self._scope.cancelled_caught:
            hard = anyio.current_time() >= self._end
            raise TimedOutError(self._longest if hard else self._idle, hard)

    def extend(self) -> None:
        """A sign of life: the idle time starts anew."""
        self._scope.deadline = math.inf if self._paused else min(anyio.current_time() + self._idle, self._end)

    @contextmanager
    def paused(self) -> Generator[None, None, None]:
        """A person is being asked: the time that takes does not count."""
        began = anyio.current_time()
        self._paused += 1
        self.extend()
        try:
            yield
        finally:
            self._paused -= 1
            self._end += anyio.current_time() - began
            self.extend()
