"""The running MewCode behind the server, and its replacement when the settings are read again."""

import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager

import anyio
from anyio.abc import TaskGroup, TaskStatus

from mewcode.app.house import App, open_app
from mewcode.app.options import AppOptions

_log = logging.getLogger(__name__)


class House:
    """One life of the app. `users` are calls that began in it: it is not taken down under them."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.users = 0
        self._empty = anyio.Event()
        self._empty.set()

    @contextmanager
    def used(self) -> Generator[App, None, None]:
        if self.users == 0:
            self._empty = anyio.Event()
        self.users += 1
        try:
            yield self.app
        finally:
            self.users -= 1
            if self.users == 0:
                self._empty.set()

    async def wait_unused(self) -> None:
        """Until no call that began here is in flight. Bound the wait yourself."""
        while self.users:
            await self._empty.wait()


class Houses:
    """`current` serves new calls; one that was replaced ends when its last call has, or after `drain` seconds."""

    def __init__(self, options: Callable[[App | None], AppOptions], drain: float, tasks: TaskGroup) -> None:
        self._options = options
        self._drain = drain
        self._tasks = tasks
        self._current: House | None = None
        self._retiring: dict[House, anyio.Event] = {}
        self.changed: Callable[[App], None] = lambda app: None

    @property
    def current(self) -> House:
        assert self._current is not None, "open() comes first"
        return self._current

    @property
    def users(self) -> int:
        return sum(house.users for house in self._retiring)

    async def open(self) -> App:
        """Builds the house anew, by the settings of now. Raises what `open_app` raises."""
        house: House = await self._tasks.start(self._live)
        before, self._current = self._current, house
        self.changed(house.app)
        if before is not None:
            self._retiring[before].set()
        return house.app

    @property
    def apps(self) -> tuple[App, ...]:
        """All in which a call may still run."""
        return tuple(house.app for house in self._retiring)

    async def wait_idle(self) -> None:
        """Until no call is in flight. Bound the wait yourself."""
        while self.users:
            for house in tuple(self._retiring):
                await house.wait_unused()

    def close(self) -> None:
        """Takes down what still lives; call it when nothing is in flight any more."""
        for retire in self._retiring.values():
            retire.set()

    async def _live(self, *, task_status: TaskStatus[House]) -> None:
        retire = anyio.Event()
        before = None if self._current is None else self._current.app
        async with open_app(self._options(before)) as app:
            house = House(app)
            self._retiring[house] = retire
            task_status.started(house)
            try:
                await retire.wait()
                with anyio.move_on_after(self._drain):
                    await house.wait_unused()
                if house.users:
                    _log.warning("%d calls did not end within %g s and are cut off", house.users, self._drain)
            finally:
                del self._retiring[house]
