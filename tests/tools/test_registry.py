import anyio
import pytest

from mewcode.calls import Principal, ToolCall, ToolResult
from mewcode.tools import ServerSource, ServerState, Tool, ToolRegistry

ALICE = Principal("alice")


class Named(Tool):
    description = "does nothing"

    def __init__(self, name: str, server: str | None = None) -> None:
        self.name, self.server, self.parameters = name, server, {"type": "object"}

    async def execute(self, call: ToolCall) -> ToolResult:
        return ToolResult.of_text("done")


def names(registry: ToolRegistry) -> list[str]:
    return [tool.name for tool in registry]


def test_two_tools_cannot_share_a_name() -> None:
    registry = ToolRegistry()
    registry.add(Named("a"))
    with pytest.raises(ValueError, match="two tools are named a"):
        registry.add(Named("a"))


def test_replacing_a_servers_tools_keeps_the_place_of_those_that_stay() -> None:
    registry = ToolRegistry()
    for tool in (Named("a"), Named("s_1", "s"), Named("s_2", "s"), Named("b")):
        registry.add(tool)
    registry.replace_server("s", [Named("s_2", "s"), Named("s_3", "s")])
    assert names(registry) == ["a", "s_2", "b", "s_3"]


def test_a_server_cannot_take_the_name_of_anothers_tool_and_nothing_changes_when_it_tries() -> None:
    registry = ToolRegistry()
    registry.add(Named("read_file"))
    registry.replace_server("s", [Named("s_1", "s")])
    with pytest.raises(ValueError, match="read_file"):
        registry.replace_server("s", [Named("read_file", "s")])
    assert names(registry) == ["read_file", "s_1"]


def test_listeners_hear_of_every_change_until_they_leave() -> None:
    registry, heard = ToolRegistry(), []
    leave = registry.subscribe(lambda: heard.append(registry.version))
    registry.add(Named("a"))
    registry.replace_server("s", [Named("s_1", "s")])
    leave()
    registry.add(Named("b"))
    assert heard == [1, 2]


def test_a_view_holds_only_what_its_principal_may_see() -> None:
    registry = ToolRegistry(visible=lambda who, tool: who.name == "alice" or tool.name != "secret")
    registry.add(Named("secret"))
    assert registry.view(ALICE).get("secret") is not None
    assert registry.view(Principal("bob")).get("secret") is None


@pytest.mark.anyio
async def test_resolving_a_name_waits_for_the_one_server_it_belongs_to() -> None:
    registry = ToolRegistry()
    slow, never = ServerSource("slow", "mcp_slow_"), ServerSource("never", "mcp_never_")
    registry.sources = {"slow": slow, "never": never}
    found: list[Tool | None] = []

    async def ask() -> None:
        found.append(await registry.resolve("mcp_slow_tool"))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            assert found == []
            registry.replace_server("slow", [Named("mcp_slow_tool", "slow")])
            slow.move(ServerState.READY)
    assert found[0] is registry.get("mcp_slow_tool")


@pytest.mark.anyio
async def test_a_name_of_a_failed_or_of_no_server_is_unknown_at_once() -> None:
    registry = ToolRegistry()
    registry.sources["s"] = ServerSource("s", "mcp_s_", ServerState.FAILED, "no such command")
    with anyio.fail_after(5):
        assert await registry.resolve("mcp_s_tool") is None
        assert await registry.resolve("nobody") is None


def test_a_name_belongs_to_the_server_with_the_longest_fitting_prefix() -> None:
    registry = ToolRegistry()
    registry.sources = {"a": ServerSource("a", "mcp_a_"), "a_b": ServerSource("a_b", "mcp_a_b_")}
    source = registry.source_of("mcp_a_b_tool")
    assert source is not None and source.name == "a_b"


@pytest.mark.anyio
async def test_whoever_comes_after_a_server_had_its_time_to_connect_does_not_wait_for_it_at_all() -> None:
    source = ServerSource("slow", "mcp_slow_")
    assert await source.wait_settled(patience=0.01) is ServerState.CONNECTING
    with anyio.CancelScope() as scope:
        scope.cancel()  # the first wait of whatever kind would end here
        assert await source.wait_settled(patience=0.01) is ServerState.CONNECTING
    assert not scope.cancelled_caught
    source.move(ServerState.FAILED)
    source.move(ServerState.CONNECTING)
    with anyio.CancelScope() as scope:
        scope.cancel()
        await source.wait_settled(patience=60)
    assert scope.cancelled_caught


def test_a_view_is_made_anew_only_when_tools_servers_or_who_decides_have_changed() -> None:
    asked: list[str] = []

    def visible(who: Principal, tool: Tool) -> bool:
        asked.append(tool.name)
        return True

    registry = ToolRegistry(visible)
    registry.add(Named("a"))
    first = registry.view(ALICE)
    assert registry.view(ALICE) is first
    assert asked == ["a"]
    registry.add(Named("b"))
    assert [tool.name for tool in registry.view(ALICE)] == ["a", "b"]
    registry.sources["late"] = ServerSource("late", "mcp_late_", ServerState.CONNECTING)
    assert asked == ["a", "a", "b"]
    registry.view(ALICE)
    assert asked == ["a", "a", "b", "a", "b"]
    registry.visible = lambda who, tool: False
    assert registry.view(ALICE).tools == ()


def test_views_of_many_principals_are_kept_within_a_bound() -> None:
    registry = ToolRegistry(visible=lambda who, tool: tool.name == who.name)
    for number in range(600):
        registry.add(Named(f"p{number}"))
    for number in range(600):
        assert [tool.name for tool in registry.view(Principal(f"p{number}"))] == [f"p{number}"]
    assert len(registry._views) <= 256
