"""The sessions that calls are made in, and their end: nothing that was kept for one outlives it."""

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import anyio
import anyio.to_thread

from mewcode.app.house import App
from mewcode.server.callers import Caller
from mewcode.workspace.output_files import session_folder

IDLE = 1_800.0
"""Seconds without a call after which a session ends, unless the settings say otherwise."""
MOST = 1_000
"""Sessions of one principal that are remembered where no connection stands behind them: their names are the client's
choice."""
LONGEST_PAUSE = 30.0


@dataclass
class _Live:
    """`lasting` sessions end with their connection, the others when nobody used them for a while."""

    lasting: bool
    principal: str
    used_at: float


class LiveSessions:
    """`apps` are the houses that calls may run in. `ended` is told of each session that is over."""

    def __init__(self, apps: Callable[[], Iterable[App]], ended: Callable[[str], None], idle: float = IDLE) -> None:
        self._apps = apps
        self._told = ended
        self._idle = idle
        self._live: dict[str, _Live] = {}
        self._own: dict[str, dict[str, None]] = {}
        """By principal, the one that was used longest ago first."""
        self._over: list[str] = []
        self._news = anyio.Event()

    def __len__(self) -> int:
        return len(self._live)

    def seen(self, caller: Caller) -> None:
        """A request came in this session."""
        name = caller.principal.name
        live = self._live.pop(caller.session, None) or _Live(caller.lasting, name, 0.0)
        live.used_at = anyio.current_time()
        self._live[caller.session] = live  # the last one in the order
        if caller.lasting:
            return
        own = self._own.setdefault(name, {})
        own.pop(caller.session, None)
        own[caller.session] = None
        if len(own) > MOST:
            self.end(next(iter(own)))

    def end(self, session: str) -> None:
        """Its connection is gone. What is kept for it is let go of soon."""
        live = self._live.pop(session, None)
        own = self._own.get(live.principal, {}) if live else {}
        own.pop(session, None)
        if live and not own:
            self._own.pop(live.principal, None)
        self._over.append(session)
        self._news.set()

    async def run(self) -> None:
        """Ends sessions as they are over; give it a task."""
        while True:
            with anyio.move_on_after(min(LONGEST_PAUSE, self._idle / 4)):
                await self._news.wait()
            self._news = anyio.Event()
            oldest = anyio.current_time() - self._idle
            for session in [k for k, one in self._live.items() if not one.lasting and one.used_at < oldest]:
                self.end(session)
            over, self._over = self._over, []
            for session in dict.fromkeys([*over, *self._left_behind()]):
                await self._forget(session)

    def _left_behind(self) -> Iterable[str]:
        """What a call that outlived its session has made anew."""
        return [session for app in self._apps() for session in app.gate.sessions.ids if session not in self._live]

    async def _forget(self, session: str) -> None:
        self._told(session)
        for app in self._apps():
            await app.gate.end_session(session)
            folder = session_folder(app.paths.outputs, session)
            await anyio.to_thread.run_sync(lambda folder=folder: shutil.rmtree(folder, ignore_errors=True))
