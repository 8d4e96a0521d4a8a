"""The sandbox of the settings, for commands and for stdio servers."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.config import LoadedSettings, Paths
from mewcode.config.schema.sandbox import SandboxSettings

if TYPE_CHECKING:
    from mewcode.workspace.access import Access
    from mewcode.workspace.sandbox import Sandbox


class LazySandbox:
    """Looks for the platform's sandbox at the first command: the trial costs tens of milliseconds."""

    def __init__(self, loaded: LoadedSettings, paths: Paths, hidden: tuple[Path, ...] = ()) -> None:
        """`hidden` are shown to those only whose own they are."""
        self._settings = loaded.settings.sandbox
        self._paths = paths
        self._hidden = hidden

    @cached_property
    def sandbox(self) -> "Sandbox":
        """Raises WorkspaceError where the settings demand a sandbox that cannot be had."""
        return _open(self._settings, self._paths, self._hidden)

    @property
    def hides(self) -> bool:
        return self.sandbox.hides

    def wrap(self, argv: Sequence[str], *, cwd: Path, access: "Access") -> Sequence[str]:
        return self.sandbox.wrap(argv, cwd=cwd, access=access)

    def close(self) -> None:
        if "sandbox" in self.__dict__:
            self.sandbox.close()


def server_sandbox(own: SandboxSettings | None, loaded: LoadedSettings, paths: Paths) -> "Sandbox | None":
    """The sandbox of a stdio server: its entry's, else the general one where the settings ask for it by name.

    Not by default: a launcher like npx or uvx writes its caches, and a server its data, wherever they please.
    """
    settings = own or loaded.settings.sandbox
    return None if settings.mode in (None, "off") else _open(settings, paths)


def _open(settings: SandboxSettings, paths: Paths, hidden: tuple[Path, ...] = ()) -> "Sandbox":
    from mewcode.workspace.sandbox import open_sandbox  # 12 modules that most calls do without

    return open_sandbox(
        settings.mode,
        own=(paths.home,),
        network=settings.network,
        hidden=(*_expanded(settings.hidden), *hidden),
        writable=_expanded(settings.writable),
    )


def _expanded(paths: Sequence[str]) -> tuple[Path, ...]:
    return tuple(Path(path).expanduser() for path in paths)
