"""`mewcode serve` over stdio, in both eras, through the SDK's client."""

from pathlib import Path

import pytest
from tests.server.clients import ERAS, settings, stdio, text_of

from mcp import MCPError

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("era", ERAS)
async def test_lists_the_built_in_tools_that_are_offered_to_everybody(workspace: Path, era: str) -> None:
    async with stdio(workspace, era=era) as client:
        listed = await client.list_tools()
    assert [tool.name for tool in listed.tools] == ["read_file", "run_command", "search_code"]
    assert listed.cache_scope == "private"
    by_name = {tool.name: tool for tool in listed.tools}
    assert by_name["read_file"].annotations is not None
    assert by_name["read_file"].annotations.read_only_hint is True
    assert by_name["run_command"].annotations is not None
    assert by_name["run_command"].annotations.destructive_hint is True


@pytest.mark.parametrize("era", ERAS)
async def test_calls_go_through_the_gate_and_results_come_labelled_and_fenced(workspace: Path, era: str) -> None:
    async with stdio(workspace, era=era) as client:
        result = await client.call_tool("read_file", {"path": "a.py"})
    assert not result.is_error
    assert "print('hello')" in text_of(result)
    assert text_of(result).startswith("<mewcode-data ")
    assert result.meta is not None
    assert result.meta["mewcode/label"]["trust"] == "workspace"


@pytest.mark.parametrize("era", ERAS)
async def test_unknown_and_forbidden_tools_are_answered_alike(workspace: Path, era: str) -> None:
    async with stdio(workspace, era=era) as client:
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("no_such_tool", {})
        with pytest.raises(MCPError) as forbidden:
            await client.call_tool("write_file", {"path": "b.py", "content": "x"})
    assert unknown.value.code == forbidden.value.code
    assert unknown.value.message.replace("no_such_tool", "write_file") == forbidden.value.message
    assert not (workspace / "b.py").exists()


async def test_a_wrong_argument_is_an_error_that_the_model_can_use(workspace: Path) -> None:
    async with stdio(workspace) as client:
        result = await client.call_tool("read_file", {"pth": "a.py"})
    assert result.is_error
    assert "'path' is a required property" in text_of(result)


async def test_a_risky_call_is_refused_where_nobody_can_be_asked(workspace: Path) -> None:
    async with stdio(workspace) as client:
        result = await client.call_tool("run_command", {"command": "rm a.py"})
    assert result.is_error
    assert (workspace / "a.py").exists()


async def test_a_role_decides_what_is_listed_and_what_may_be_called(workspace: Path) -> None:
    settings("roles:\n  reader: {tools: [read_file, find_files], read: ['src/**']}\n")
    async with stdio(workspace, "--role", "reader") as client:
        listed = await client.list_tools()
        outside = await client.call_tool("read_file", {"path": "a.py"})
    assert [tool.name for tool in listed.tools] == ["find_files", "read_file"]
    assert outside.is_error
    assert "hello" not in text_of(outside)
