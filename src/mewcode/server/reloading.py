"""The settings read again while the server serves (SIGHUP): all of the new ones count, or none of them."""

import logging
from collections.abc import Callable

import anyio.to_thread

from mewcode.app.loading import load_for
from mewcode.config import LoadedSettings, Paths, Settings
from mewcode.errors import MewCodeError, SettingsError, UsageError
from mewcode.messages import message
from mewcode.server.house_options import plain_options
from mewcode.server.houses import Houses
from mewcode.server.http.doorkeeper import Doorkeeper
from mewcode.server.options import ServeOptions
from mewcode.server.restarting import needing_restart

_log = logging.getLogger(__name__)


class Reloading:
    """`say` tells whoever watches standard error; `started` are the settings that the server began with."""

    def __init__(self, options: ServeOptions, started: Settings, houses: Houses, say: Callable[[str], None]) -> None:
        self._options = options
        self._started = started
        self._houses = houses
        self._say = say
        self.keeper: Doorkeeper | None = None
        self.reloaded: Callable[[], None] = lambda: None

    async def __call__(self) -> bool:
        """Whether the new settings count now. Calls that began under the old ones end under them."""
        try:
            await self._reload()
        except Exception as error:  # noqa: BLE001  whatever is wrong with the new settings, the server goes on
            await self._refused(error)
            return False
        app = self._houses.current.app
        self._say(message("serve.reloaded"))
        waiting = needing_restart(self._started, app.settings)
        if waiting:
            _log.warning("changed, but in full use only after a restart: %s", ", ".join(waiting))
            self._say(message("serve.needs_restart", names=", ".join(waiting)))
        details = {"policy": app.policy.hash, "needs_restart": waiting}
        await app.audit.event("reload", door=app.options.door.value, details=details)
        return True

    async def _reload(self) -> None:
        loaded = await anyio.to_thread.run_sync(self._load)
        door = None if self.keeper is None else self.keeper.read(loaded)
        await self._houses.open()
        if self.keeper is not None and door is not None:
            self.keeper.take(door)
            self.reloaded()

    def _load(self) -> LoadedSettings:
        """Raises SettingsError for broken files: at the start they would let nothing run unasked, but now there are
        good settings to stay with."""
        plain = plain_options(self._options)
        loaded = load_for(plain, Paths.from_environment(plain.environ))
        if loaded.broken:
            first = next(problem for problem in loaded.problems if problem.severity == "error")
            raise SettingsError("serve.broken_settings", why=first)
        role = self._options.role or loaded.settings.server.role
        if role is not None and role not in loaded.settings.roles:
            raise UsageError("serve.unknown_role", role=role, known=", ".join(loaded.settings.roles) or "-")
        return loaded

    async def _refused(self, error: Exception) -> None:
        why = str(error) if isinstance(error, MewCodeError) else type(error).__name__
        _log.error("the settings were not reloaded: %s", why, exc_info=not isinstance(error, MewCodeError))
        self._say(message("serve.not_reloaded", why=why))
        app = self._houses.current.app
        await app.audit.event("reload_refused", door=app.options.door.value, details={"why": why})
