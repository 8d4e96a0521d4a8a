"""The sandbox that the settings ask for, around commands and stdio servers."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from mewcode.errors import WorkspaceError
from mewcode.messages import message
from mewcode.workspace.access import Access
from mewcode.workspace.sandbox.bubblewrap import bubblewrap_argv
from mewcode.workspace.sandbox.confinement import Confinement, resolved, system_places
from mewcode.workspace.sandbox.detect import SandboxStatus, detect
from mewcode.workspace.sandbox.landlock import landlock_argv
from mewcode.workspace.sandbox.seatbelt import seatbelt_argv
from mewcode.workspace.sandbox.secrets import protected_places, secret_places
from mewcode.workspace.sandbox.visible import closed_parts, visible_parts

Mode = Literal["off", "workspace", "strict"]


@dataclass
class Sandbox:
    """Puts itself around command lines. `own` are MewCode's own folders: never shown, but for a session's outputs.

    In `workspace` everything but secrets may be read; in `strict` only the roots and the system's programs.
    """

    mode: Mode
    status: SandboxStatus
    own: tuple[Path, ...] = ()
    network: bool = False
    hidden: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    note: str | None = None
    """What the user should know: that there is no sandbox though none was refused, say."""
    _temp: Path | None = field(default=None, init=False)

    @property
    def hides(self) -> bool:
        """Whether a caller's narrower scope is held: commands see no more than the caller may read."""
        return self.mode != "off" and self.status.kind != "none"

    def wrap(self, argv: Sequence[str], *, cwd: Path, access: Access) -> Sequence[str]:
        """The command line that runs `argv` confined to what `access` gives. Raises WorkspaceError where patterns
        cannot be shown."""
        if not self.hides:
            return argv
        closed = closed_parts(access)
        read, write = visible_parts(access) if closed is None else (access.roots, access.roots)
        return self._wrap(
            argv,
            cwd,
            read,
            write,
            access.read_only_roots,
            network=self.network,
            closed=access.roots if closed is None else closed[0],
            fixed=() if closed is None else closed[1],
            roots=access.roots,
        )

    def wrap_server(
        self, argv: Sequence[str], cwd: Path, *, roots: Sequence[Path], network: bool = True
    ) -> Sequence[str]:
        """The command line that runs a stdio server. Most servers are there to talk to the network."""
        if not self.hides:
            return argv
        return self._wrap(
            argv, cwd, tuple(roots), tuple(roots), (), network=network, closed=(), fixed=(), roots=tuple(roots)
        )

    def close(self) -> None:
        """Removes the private temporary folder."""
        if self._temp is not None:
            shutil.rmtree(self._temp, ignore_errors=True)
            self._temp = None

    def _wrap(
        self,
        argv: Sequence[str],
        cwd: Path,
        read: Sequence[Path],
        write: Sequence[Path],
        read_only: Sequence[Path],
        *,
        network: bool,
        closed: Sequence[Path],
        fixed: Sequence[Path],
        roots: Sequence[Path],
    ) -> Sequence[str]:
        home = Path(os.path.expanduser("~"))  # noqa: PTH111 the text, also when it is no path
        hidden = [*secret_places(home), *self.own, *self.hidden, *closed]
        writable = resolved((*write, *self.writable))
        readable = resolved((*read, *read_only, *(system_places() if self.mode == "strict" else ())))
        protected = [*fixed, *(place for root in roots for place in protected_places(root))]
        unseen = tuple(path for path in resolved(hidden) if path not in (*writable, *readable))
        confinement = Confinement(
            cwd=cwd,
            write=writable,
            read=readable,
            hidden=unseen,
            # Within what is hidden nothing is shown again, not even to be kept from writing.
            protected=tuple(p for p in resolved(protected) if _is_within(p, writable) and not _is_within(p, unseen)),
            temp=self._private_temp(),
            everything=self.mode != "strict",
            network=network,
        )
        if self.status.kind == "bubblewrap" and self.status.program:
            return bubblewrap_argv(self.status.program, argv, confinement)
        if self.status.kind == "seatbelt":
            return seatbelt_argv(argv, confinement)
        return landlock_argv(argv, confinement)

    def _private_temp(self) -> Path:
        if self._temp is None:
            self._temp = Path(tempfile.mkdtemp(prefix="mewcode-")).resolve()
        return self._temp


def _is_within(path: Path, places: Sequence[Path]) -> bool:
    return any(place in path.parents for place in places)


def open_sandbox(
    mode: Mode | None,
    *,
    own: Sequence[Path] = (),
    network: bool | Sequence[str] = False,
    hidden: Sequence[Path] = (),
    writable: Sequence[Path] = (),
    status: SandboxStatus | None = None,
) -> Sandbox:
    """The sandbox for a mode of the settings; None is the default: workspace where the platform can, else off, and
    the note says so. A list of hosts leaves the network off until there is a way to hold processes to hosts.

    Raises WorkspaceError where the settings demand one that cannot be had.
    """
    if mode == "off":
        return Sandbox("off", SandboxStatus("none", message("sandbox.off")))
    found = status or detect()
    open_network = network is True
    if found.kind == "none":
        if mode is not None:
            raise WorkspaceError("sandbox.unavailable", mode=mode, why=found.why)
        return Sandbox("off", found, note=message("sandbox.fallback", why=found.why))
    if not found.network_isolated and not open_network:
        if mode is not None:
            raise WorkspaceError("sandbox.no_network_isolation", mode=mode, why=found.why)
        return Sandbox("off", found, note=message("sandbox.fallback", why=found.why))
    note = message("sandbox.hosts", hosts=", ".join(network)) if not isinstance(network, bool) and network else None
    return Sandbox(mode or "workspace", found, tuple(own), open_network, tuple(hidden), tuple(writable), note)
