"""Runs real servers for a test and says what became of them."""

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from mewcode.calls import Channel, Principal, SilentChannel, ToolCall, ToolResult
from mewcode.mcp import Catalogue, Gatekeeper, MCPManager, Ports, ServerDefinition, Surroundings, Watchdog
from mewcode.mcp.backoff import Backoff
from mewcode.mcp.principals import PrincipalRules
from mewcode.tools import ToolRegistry

FAULT_SERVER = Path(__file__).parents[1] / "faults" / "fault_server.py"
PATIENCE = 120.0
"""Seconds that a test waits for what should take less than one, on a loaded machine."""


def fault(name: str, *modes: str, **more: Any) -> ServerDefinition:
    """The server that misbehaves in the chosen ways."""
    # It needs the standard library only: without site-packages an interpreter starts in a third of the time.
    command = (sys.executable, "-I", "-S", str(FAULT_SERVER), *(modes or (name,)))
    return ServerDefinition(name, command=command, **{"connect_timeout": PATIENCE, "timeout": PATIENCE, **more})


def python_server(name: str, script: Path | str, *args: str, **more: Any) -> ServerDefinition:
    command = (sys.executable, str(script), *args)
    return ServerDefinition(name, command=command, **{"connect_timeout": PATIENCE, "timeout": PATIENCE, **more})


@asynccontextmanager
async def running(
    *definitions: ServerDefinition,
    workspace: Path | None = None,
    ports: Ports | None = None,
    catalogue: Catalogue | None = None,
    gatekeeper: Gatekeeper | None = None,
    wait: bool = True,
    principals: PrincipalRules | None = None,
    **surroundings: Any,
) -> AsyncIterator[MCPManager]:
    """A manager with these servers, after each has come or failed once."""
    around = Surroundings(
        workspace or Path.cwd(),
        Watchdog(),
        ports=ports or Ports(),
        backoff=Backoff(first=0.05, longest=0.3),
        **surroundings,
    )
    manager = MCPManager(
        definitions, ToolRegistry(), around, catalogue=catalogue, gatekeeper=gatekeeper, principals=principals
    )
    async with manager:
        if wait:
            await manager.wait_all()
        yield manager


async def call(
    manager: MCPManager, server: str, tool: str = "t", channel: Channel | None = None, **arguments: Any
) -> ToolResult:
    found = manager.registry.find(server, tool)
    assert found is not None, f"{server} has no tool {tool}: {manager.servers[server].source}"
    principal = Principal("tester")
    return await found.execute(
        ToolCall(found.name, arguments, "session", principal, channel=channel or SilentChannel())
    )


def pid_of(manager: MCPManager, server: str) -> int:
    attempt = manager.servers[server].connection.attempt
    assert attempt is not None
    assert attempt.server is not None
    return attempt.server.process.pid


def stderr_of(manager: MCPManager, server: str) -> str:
    attempt = manager.servers[server].connection.attempt
    assert attempt is not None
    return attempt.stderr


def alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and waits for its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        if sys.platform == "linux":
            return False
        return _answers(pid)
    return state not in "ZX"


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until(condition: Callable[[], object], what: str = "what the test waits for") -> None:
    """Waits for something that has no event."""
    with anyio.move_on_after(PATIENCE):
        while not condition():
            await anyio.sleep(0.01)
        return
    raise AssertionError(f"{what} did not come to pass")
