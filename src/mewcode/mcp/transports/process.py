"""A server's process: started in a group of its own, and ended with everything it started."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import anyio
from anyio.abc import Process

from mewcode.mcp.errors import CannotStartError
from mewcode.mcp.surroundings import GRACE
from mewcode.mcp.transports.descendants import descendants
from mewcode.mcp.transports.watchdog import Watchdog

LAST_GRACE = 1.0
"""Seconds it gets after SIGTERM."""
_COMES_WITH = {
    "uvx": "uv (pip install uv)",
    "npx": "Node.js",
    "bunx": "Bun",
    "pipx": "pipx (pip install pipx)",
    "docker": "Docker",
    "podman": "Podman",
}
"""Commands that start most servers, and what to install for them."""


class ServerProcess:
    """A running server. `stop` leaves nothing behind: not the server, not its group, not what left the group."""

    def __init__(self, process: Process, watchdog: Watchdog, grace: float = GRACE) -> None:
        self.process = process
        self._grace = grace
        self._watchdog = watchdog
        watchdog.watch(process.pid)

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        env: Mapping[str, str],
        directory: Path,
        watchdog: Watchdog,
        grace: float = GRACE,
    ) -> "ServerProcess":
        """`grace` is in seconds. Raises CannotStartError when there is no such command or directory."""
        if not directory.is_dir():
            raise CannotStartError("mcp.no_directory", directory=directory)
        program = find_program(command[0], env, directory)
        try:
            process = await anyio.open_process(
                _adopting([program, *command[1:]]),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory,
                env=env,
                start_new_session=sys.platform != "win32",
            )
        except OSError as error:
            raise CannotStartError("mcp.cannot_start", command=command[0], why=error.strerror or error) from error
        return cls(process, watchdog, grace)

    async def stop(self) -> None:
        """Ends the input, then asks, then ends: at most about `grace` and a second and a half."""
        with anyio.CancelScope(shield=True):
            below = descendants({self.process.pid})
            if self.process.stdin is not None:
                with contextlib.suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
                    await self.process.stdin.aclose()
            if not await self._ended(self._grace):
                below |= descendants({self.process.pid} | below)
                self._signal(signal.SIGTERM, below)
                if not await self._ended(LAST_GRACE):
                    below |= descendants({self.process.pid} | below)
            await self._end_rest(below)
            self._watchdog.forget(self.process.pid)
            await self.process.aclose()

    async def _ended(self, seconds: float) -> bool:
        with anyio.move_on_after(seconds):
            await self.process.wait()
        return self.process.returncode is not None

    async def _end_rest(self, below: set[int]) -> None:
        """Others of the group get the signal to end before they are ended, too."""
        if self.process.returncode is not None and self._signal(signal.SIGTERM, below):
            deadline = anyio.current_time() + 0.3
            # The kernel has no event for the end of a group.
            while anyio.current_time() < deadline and self._signal(0, below):  # noqa: ASYNC110
                await anyio.sleep(0.02)
        self._signal(_KILL, below)
        with anyio.move_on_after(LAST_GRACE):
            await self.process.wait()

    def _signal(self, how: int, below: set[int]) -> bool:
        """Sends to the group and to what left it; whether anybody was there. Signal 0 only asks."""
        if sys.platform == "win32":
            return self._end_tree(how)
        reached = False
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, how)
            reached = True
        for pid in below:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, how)
                reached = True
        return reached

    def _end_tree(self, how: int) -> bool:
        if how == 0 or self.process.returncode is not None:
            return False
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.process.pid)], capture_output=True, check=False)
        return True


def _adopting(command: list[str]) -> list[str]:
    """The command, so that whatever it starts stays below it; see `adopt.py`."""
    if sys.platform != "linux":
        return command
    return [sys.executable, "-I", "-S", str(Path(__file__).with_name("adopt.py")), *command]


_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL


def find_program(command: str, env: Mapping[str, str], directory: Path) -> str:
    """The program that a command names, looked for as the server's own environment says.

    Raises CannotStartError that says where it was looked for.
    """
    if os.sep in command or (os.altsep and os.altsep in command):
        path = (directory / Path(command).expanduser()).absolute()
        if not path.exists():
            raise CannotStartError("mcp.no_program", command=command, place=path.parent)
        if not os.access(path, os.X_OK) or path.is_dir():
            raise CannotStartError("mcp.not_executable", command=path)
        return str(path)
    search = env.get("PATH", os.defpath)
    found = shutil.which(command, path=search)
    if found is None:
        code = "mcp.no_command" if command not in _COMES_WITH else "mcp.no_launcher"
        raise CannotStartError(code, command=command, path=search, source=_COMES_WITH.get(command))
    return found
