"""`mewcode serve` over stdio, in both eras, through the SDK's client."""

from pathlib import Path

import mcp_types as t
import pytest
from tests.server.clients import ERAS, settings, stdio, text_of

from mcp import MCPError

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_of_either_era_lists_calls_and_is_refused(workspace: Path, era: str) -> None:
    """In one process, as each costs seconds to start; what is asserted of each call is below."""
    async with stdio(workspace, era=era) as client:
        listed = await client.list_tools()
        read = await client.call_tool("read_file", {"path": "a.py"})
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("no_such_tool", {})
        with pytest.raises(MCPError) as forbidden:
            await client.call_tool("write_file", {"path": "b.py", "content": "x"})
        misspelt = await client.call_tool("read_file", {"pth": "a.py"})
        risky = await client.call_tool("run_command", {"command": "rm a.py"})
    offered_to_everybody(listed)
    labelled_and_fenced(read)
    assert unknown.value.code == forbidden.value.code
    assert unknown.value.message.replace("no_such_tool", "write_file") == forbidden.value.message
    assert not (workspace / "b.py").exists()
    assert misspelt.is_error
    assert "'path' is a required property" in text_of(misspelt)
    assert risky.is_error, "nobody can be asked"
    assert (workspace / "a.py").exists()


def offered_to_everybody(listed: t.ListToolsResult) -> None:
    assert [tool.name for tool in listed.tools] == ["read_file", "run_command", "search_code"]
    assert listed.cache_scope == "private"
    by_name = {tool.name: tool for tool in listed.tools}
    assert by_name["read_file"].annotations is not None
    assert by_name["read_file"].annotations.read_only_hint is True
    assert by_name["run_command"].annotations is not None
    assert by_name["run_command"].annotations.destructive_hint is True


def labelled_and_fenced(read: t.CallToolResult) -> None:
    assert not read.is_error
    assert "print('hello')" in text_of(read)
    assert text_of(read).startswith("<mewcode-data ")
    assert read.meta is not None
    assert read.meta["mewcode/label"]["trust"] == "workspace"


async def test_a_role_decides_what_is_listed_and_what_may_be_called(workspace: Path) -> None:
    settings("roles:\n  reader: {tools: [read_file, find_files], read: ['src/**']}\n")
    async with stdio(workspace, "--role", "reader") as client:
        listed = await client.list_tools()
        outside = await client.call_tool("read_file", {"path": "a.py"})
    assert [tool.name for tool in listed.tools] == ["find_files", "read_file"]
    assert outside.is_error
    assert "hello" not in text_of(outside)
