"""One odd entry of a list costs that entry and nothing else; a list without end or without entries is no trouble."""

from pathlib import Path
from typing import Any

import pytest
from tests.mcp.running import call, running, until
from tests.mcp.scripted import scripted, tool

from mewcode.mcp.schemas import portable
from mewcode.tools import ServerState

pytestmark = pytest.mark.anyio
ODD: list[Any] = [
    {},
    None,
    "text",
    ["list"],
    True,
    {"type": "string"},
    {"type": "array", "items": {}},
    {"anyOf": [{"type": "object"}, {"type": "null"}]},
    {"$ref": "#/$defs/gone"},
    {"type": ["object", "null"]},
    {"type": "object", "$schema": 5},
    *(
        {"type": "object", "properties": properties}
        for properties in (None, [], "x", {"a": True}, {"a": "string"}, {"a": None}, {"a": {"$ref": "#/none"}})
    ),
    *({"type": "object", "required": required} for required in (None, "a", {"a": True}, [1])),
]
NO_TOOLS: list[Any] = [None, "text", 5, {}, {"name": 5}, {"inputSchema": {"type": "object"}}]


async def test_whatever_one_schema_is_every_tool_of_the_server_is_there_and_can_be_called(tmp_path: Path) -> None:
    odd = [{"name": f"odd_{number}", "inputSchema": schema} for number, schema in enumerate(ODD)]
    async with running(scripted(tmp_path, tools=[*odd, *NO_TOOLS, tool("good")])) as manager:
        tools = manager.registry.of_server("s")
        assert [listed.original_name for listed in tools] == [*(entry["name"] for entry in odd), "good"]
        for listed in tools:
            shown = portable(listed.parameters)
            assert shown["type"] == "object"
            assert isinstance(shown["properties"], dict)
            assert (await call(manager, "s", listed.original_name)).error is None


@pytest.mark.parametrize(
    "cursors", [{"": "x", "x": "x"}, {"": "x", "x": "y", "y": "x"}, {"": None}, {"": ""}, {"": 7}], ids=repr
)
async def test_a_cursor_that_does_not_advance_ends_the_list_and_each_tool_is_there_once(
    tmp_path: Path, cursors: dict[str, Any]
) -> None:
    pages = {at: {"tools": [tool(f"on_{at}"), tool("everywhere")], "nextCursor": to} for at, to in cursors.items()}
    async with running(scripted(tmp_path, pages=pages)) as manager:
        names = [listed.original_name for listed in manager.registry.of_server("s")]
    assert sorted(names) == sorted({"everywhere", *(f"on_{at}" for at in cursors)})


async def test_a_server_without_tools_is_listed_as_ready_and_gains_those_that_come(tmp_path: Path) -> None:
    spec = {"tools": [], "adds": [tool("late")]}
    async with running(scripted(tmp_path, **spec)) as manager:
        assert manager.servers["s"].source.state is ServerState.READY
        assert "s" in manager.registry.sources
        session = await manager.connection("s").ready(60)
        await session.call_tool("any", {})
        await until(lambda: manager.registry.find("s", "late"))
