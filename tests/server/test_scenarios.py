"""What an agent does with the server: one tool, a chain of tools, and going on after a command that failed."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.server.clients import ERAS, http, new_token, serving, settings, stdio, text_of

from mcp import Client

pytestmark = pytest.mark.anyio

TEAM = """
roles:
  dev: {tools: ['*'], read: ['**'], write: ['**']}
principals: {alice: {roles: [dev]}}
permissions:
  - {rule: "run_command(python3 *)", effect: allow}
  - {rule: "edit_file(*)", effect: allow}
sandbox: off
"""
MODULE = "def double(value):\n    return value * 3\n"
CHECK = "from maths import double\nassert double(2) == 4, double(2)\nprint('all is well')\n"


@asynccontextmanager
async def connected(workspace: Path, door: str, era: str) -> AsyncGenerator[Client]:
    settings(TEAM)
    (workspace / "maths.py").write_text(MODULE)
    (workspace / "check.py").write_text(CHECK)
    if door == "stdio":
        async with stdio(workspace, "--role", "dev", era=era) as client:
            yield client
        return
    token = new_token("alice")
    with serving(workspace) as served:
        async with http(served.url, token, era) as client:
            yield client


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("door", ["stdio", "http"])
async def test_one_tool_a_chain_and_a_recovery(workspace: Path, door: str, era: str) -> None:
    async with connected(workspace, door, era) as client:
        listed = text_of(await client.call_tool("find_files", {"pattern": "*.py"}))
        assert "maths.py" in listed

        failed = await client.call_tool("run_command", {"command": "python3 check.py"})
        assert "AssertionError: 6" in text_of(failed)

        found = text_of(await client.call_tool("search_code", {"query": "def double"}))
        assert "maths.py:1:" in found
        read = text_of(await client.call_tool("read_file", {"path": "maths.py"}))
        assert "value * 3" in read
        edited = await client.call_tool("edit_file", {"path": "maths.py", "old": "value * 3", "new": "value * 2"})
        assert not edited.is_error, text_of(edited)

        again = await client.call_tool("run_command", {"command": "python3 check.py"})
    assert "all is well" in text_of(again)
    assert "value * 2" in (workspace / "maths.py").read_text()
