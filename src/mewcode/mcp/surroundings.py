"""What all connections of one MewCode share."""

import importlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

import anyio
import anyio.to_thread

from mewcode.mcp.backoff import Backoff
from mewcode.mcp.ports import Ports
from mewcode.mcp.transports.watchdog import Watchdog

if TYPE_CHECKING:
    import httpx2

    from mewcode.mcp.definition import ServerDefinition

Wrap: TypeAlias = Callable[[Sequence[str], Path], Sequence[str]]
"""Puts a command line into the sandbox: takes the command and the directory, returns the command to run."""

GRACE = 1.0
"""Seconds a server gets to end by itself after its input ended, unless the settings say otherwise."""
MOST_ENTRIES = 20_000
"""Entries of one list of a server's, unless the settings say otherwise."""
LONGEST_LINE = 64 * 1024 * 1024
"""Bytes in one message of a server's, unless the settings say otherwise."""


async def _at_once() -> None:
    return


class Sdk:
    """Imports the SDK once, in a thread, when the first connection needs it.

    `when` may hold that back: with all tools known from the cache the first request to the model goes out first.
    """

    def __init__(self, when: Callable[[], Awaitable[None]] = _at_once) -> None:
        self._when = when
        self._lock = anyio.Lock()

    async def load(self) -> None:
        """Imports `opening`, which pulls the SDK in (0.4 s of a core)."""
        async with self._lock:
            await self._when()
            await anyio.to_thread.run_sync(importlib.import_module, "mewcode.mcp.opening")


class AuthSource(Protocol):
    """Gives the credentials of a server over HTTP, where there are any: `logins.Logins`."""

    async def auth_for(self, definition: "ServerDefinition") -> "httpx2.Auth | None": ...


@dataclass(frozen=True)
class Surroundings:
    """`wrap` puts a server's command into the sandbox; `logs` is a folder for what servers write to standard error."""

    workspace: Path
    watchdog: Watchdog
    sdk: Sdk = field(default_factory=Sdk)
    ports: Ports = field(default_factory=Ports)
    logs: Path | None = None
    auth: AuthSource | None = None
    wrap: Callable[["ServerDefinition"], Wrap | None] | None = None
    roots: Callable[[], tuple[Path, ...]] | None = None
    longest_line: int = LONGEST_LINE
    list_timeout: float = 30.0
    shutdown_timeout: float = GRACE
    max_tools: int = MOST_ENTRIES
    instructions_bytes: int = 2_000
    backoff: Backoff = field(default_factory=Backoff)
    log_level: str = "info"
