"""Clients of `mewcode serve` for tests: the SDK's own, over real processes and real sockets."""

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client

PATIENCE = 120.0
"""Seconds that a request may take on a loaded machine."""
ERAS = ("auto", "legacy")


@asynccontextmanager
async def stdio(workspace: Path, *arguments: str, era: Any = "auto", **client: Any) -> AsyncIterator[Client]:
    """A client of a server process of its own."""
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "mewcode", "serve", *arguments], env=environment(), cwd=workspace
    )
    with open(workspace.parent / "serve.log", "ab") as log:
        transport = stdio_client(parameters, errlog=log)
        async with Client(transport, mode=era, read_timeout_seconds=PATIENCE, **client) as connected:
            yield connected


def environment() -> dict[str, str]:
    names = ("MEWCODE_HOME", "MEWCODE_MANAGED_CONFIG", "MEWCODE_LANG", "PATH", "HOME")
    return {name: os.environ[name] for name in names if name in os.environ}


def text_of(result: Any) -> str:
    return "\n".join(block.text for block in result.content if block.type == "text")


def settings(text: str) -> None:
    """Writes the user's settings of this test."""
    home = Path(os.environ["MEWCODE_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.yaml").write_text(text)


def kind_of(result: Any) -> Mapping[str, Any]:
    return (result.meta or {}).get("mewcode/error", {})
