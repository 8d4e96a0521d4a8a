"""Servers that do what a test says, by tests/mcp/script_server.py."""

import json
import sys
from pathlib import Path
from typing import Any

from tests.mcp.running import PATIENCE

from mewcode.mcp import ServerDefinition

SCRIPT = Path(__file__).with_name("script_server.py")


def command(folder: Path, name: str = "s", **spec: Any) -> list[str]:
    """The command line of a server with this behaviour."""
    file = folder / f"{name}.json"
    file.write_text(json.dumps(spec))
    # It needs the standard library only: without site-packages an interpreter starts in a third of the time.
    return [sys.executable, "-I", "-S", str(SCRIPT), str(file)]


def scripted(folder: Path, name: str = "s", *, timeout: float = PATIENCE, **spec: Any) -> ServerDefinition:
    line = tuple(command(folder, name, **spec))
    return ServerDefinition(name, command=line, connect_timeout=PATIENCE, timeout=timeout)


def starts(folder: Path, name: str = "s") -> list[int]:
    """The process id of every start so far."""
    return [int(line) for line in (folder / f"{name}.json.starts").read_text().split()]


def tool(name: str, **schema: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", **schema}}
