"""The sandbox of the settings, for commands and for stdio servers."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from mewcode.config import LoadedSettings, Paths
from mewcode.workspace.access import Access
from mewcode.workspace.sandbox import Sandbox, open_sandbox


class LazySandbox:
    """Looks for the platform's sandbox at the first command: the trial costs tens of milliseconds."""

    def __init__(self, loaded: LoadedSettings, paths: Paths) -> None:
        self._settings = loaded.settings.sandbox
        self._paths = paths

    @cached_property
    def sandbox(self) -> Sandbox:
        """Raises WorkspaceError where the settings demand a sandbox that cannot be had."""
        settings = self._settings
        return open_sandbox(
            settings.mode,
            own=(self._paths.home,),
            network=settings.network,
            hidden=_expanded(settings.hidden),
            writable=_expanded(settings.writable),
        )

    @property
    def hides(self) -> bool:
        return self.sandbox.hides

    def wrap(self, argv: Sequence[str], *, cwd: Path, access: Access) -> Sequence[str]:
        return self.sandbox.wrap(argv, cwd=cwd, access=access)

    def close(self) -> None:
        if "sandbox" in self.__dict__:
            self.sandbox.close()


def _expanded(paths: Sequence[str]) -> tuple[Path, ...]:
    return tuple(Path(path).expanduser() for path in paths)
