"""What the settings say about all servers reaches the connections."""

import sys
from pathlib import Path

import pytest
from tests.mcp.running import FAULT_SERVER, PATIENCE

from mewcode.config import Paths, load_settings
from mewcode.mcp import MCPManager
from mewcode.mcp.launch import definitions_of, manager_of
from mewcode.tools import ServerState, ToolRegistry

pytestmark = pytest.mark.anyio


def manager_for(settings: str, tmp_path: Path) -> MCPManager:
    """A manager made from the text of a user's settings file, as the commands make it."""
    paths = Paths.from_environment()
    paths.config.parent.mkdir(parents=True, exist_ok=True)
    paths.config.write_text(settings)
    loaded = load_settings(paths=paths, workspace=tmp_path)
    assert not loaded.problems
    return manager_of(loaded, paths, ToolRegistry())


async def test_no_more_tools_are_taken_than_the_settings_say(tmp_path: Path) -> None:
    manager = manager_for(
        f"mcp: {{max_tools: 3, connect_timeout: {PATIENCE:g}}}\n"
        f"mcp_servers: {{s: {{command: {sys.executable}, args: [{FAULT_SERVER}, many_tools]}}}}\n",
        tmp_path,
    )
    async with manager:
        assert await manager.wait_ready("s") is ServerState.READY
        assert [tool.original_name for tool in manager.registry] == ["tool_0", "tool_1", "tool_2"]
        assert any("the first 3 were taken" in notice for notice in manager.connection("s").voice.notices)


async def test_a_server_gets_the_time_of_the_settings_to_end_by_itself(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(
        "import sys, time\n"
        f"sys.path.insert(0, {str(FAULT_SERVER.parent)!r})\n"
        "from fault_server import FaultServer\n"
        "FaultServer(['ok']).run()\n"
        "time.sleep(2)\n"
        f"open({str(tmp_path / 'saved')!r}, 'w').close()\n"
    )
    manager = manager_for(
        f"mcp: {{shutdown_timeout: {PATIENCE:g}, connect_timeout: {PATIENCE:g}}}\n"
        f"mcp_servers: {{s: {{command: {sys.executable}, args: [{script}]}}}}\n",
        tmp_path,
    )
    async with manager:
        assert await manager.wait_ready("s") is ServerState.READY
    assert (tmp_path / "saved").exists()


async def test_calls_may_be_silent_for_minutes_unless_the_settings_say_otherwise(tmp_path: Path) -> None:
    paths = Paths.from_environment()
    paths.config.parent.mkdir(parents=True, exist_ok=True)
    paths.config.write_text("mcp_servers: {a: {command: x}, b: {command: x, timeout: 30s}}\n")
    definitions = definitions_of(load_settings(paths=paths, workspace=tmp_path))
    assert {one.name: one.timeout for one in definitions} == {"a": 300.0, "b": 30.0}
