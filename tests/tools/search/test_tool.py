"""ToolSearch as a model uses it."""

import json

import pytest
from tests.tools.search.toys import OFFICE, Toy, registry_of

from mewcode.calls import ErrorKind, Principal, ToolCall, ToolResult
from mewcode.tools import ServerSource, ServerState, Tool, ToolRegistry
from mewcode.tools.search import SearchLimits, ToolSearch
from mewcode.tools.search.entry import SearchEntry

pytestmark = pytest.mark.anyio


async def ask(search: ToolSearch, query: str, session: str = "s1", who: str = "alice", **more: object) -> ToolResult:
    return await search.execute(ToolCall("tool_search", {"query": query, **more}, session, Principal(who)))


def found(result: ToolResult) -> list[str]:
    return list(result.structured["tools"])


async def test_the_answer_holds_whole_definitions_and_loads_them_for_the_session() -> None:
    registry = registry_of(*OFFICE)
    search = ToolSearch(registry)
    result = await ask(search, "create issue")
    assert found(result)[0] == "mcp_github_create_issue"
    definitions = [json.loads(line) for line in result.text.splitlines() if line.startswith("{")]
    assert [one["name"] for one in definitions] == found(result)
    assert set(definitions[0]["parameters"]["properties"]) == {"owner", "repo", "title", "body"}
    tool = OFFICE[0]
    assert search.discovered.is_loaded("s1", tool)
    assert not search.discovered.is_loaded("s2", tool)
    await search.end_session("s1")
    assert not search.discovered.is_loaded("s1", tool)


async def test_select_takes_exact_names_in_their_order_and_names_what_is_not_there() -> None:
    search = ToolSearch(registry_of(*OFFICE))
    result = await ask(search, "select:mcp_maps_geocode, mcp_none_such,mcp_github_create_issue")
    assert found(result) == ["mcp_maps_geocode", "mcp_github_create_issue"]
    assert "Not available: mcp_none_such" in result.text


async def test_select_of_nothing_that_is_there_is_an_error() -> None:
    result = await ask(ToolSearch(registry_of(*OFFICE)), "select:mcp_none_such")
    assert result.error is not None
    assert result.error.kind is ErrorKind.UNKNOWN_TOOL


async def test_a_principal_finds_only_what_it_may_call() -> None:
    def visible(principal: Principal, tool: Tool) -> bool:
        return principal.name == "alice" or tool.server != "github"

    registry = ToolRegistry(visible)
    for tool in OFFICE:
        registry.add(tool)
    search = ToolSearch(registry)
    assert found(await ask(search, "create issue", who="alice"))[0] == "mcp_github_create_issue"
    for query in ("create issue", "mcp_github_create_issue", "select:mcp_github_create_issue", "github"):
        result = await ask(search, query, who="bob")
        assert "create_issue" not in "".join(line for line in result.text.splitlines() if line.startswith("{"))
        assert not search.discovered.is_loaded("s1", OFFICE[0]) or result.text


async def test_the_answer_says_which_servers_are_not_there_yet_and_why() -> None:
    registry = registry_of(*OFFICE)
    registry.sources["slow"] = ServerSource("slow", "mcp_slow_")
    registry.sources["dead"] = ServerSource("dead", "mcp_dead_", ServerState.FAILED, "command not found:\nnpx")
    result = await ask(ToolSearch(registry), "weather")
    assert "Server slow is still connecting" in result.text
    assert "Server dead is not available (failed): command not found: npx" in result.text


async def test_tools_that_come_and_go_are_followed() -> None:
    registry = registry_of(*OFFICE)
    search = ToolSearch(registry)
    assert found(await ask(search, "play music")) == [] or "mcp_player_play" not in found(
        await ask(search, "play music")
    )
    registry.replace_server("player", [Toy("player", "play", "Plays music.")])
    assert found(await ask(search, "play music"))[0] == "mcp_player_play"
    registry.replace_server("player", [])
    assert "mcp_player_play" not in found(await ask(search, "play music"))


async def test_a_changed_definition_has_to_be_loaded_again() -> None:
    registry = registry_of(*OFFICE)
    search = ToolSearch(registry)
    await ask(search, "select:mcp_maps_geocode")
    changed = Toy("maps", "geocode", "Now it does something else.")
    assert search.discovered.is_loaded("s1", OFFICE[5])
    assert not search.discovered.is_loaded("s1", changed)


async def test_five_are_answered_unless_asked_otherwise() -> None:
    tools = [Toy(f"server{number}", "send_mail", "Sends mail.") for number in range(30)]
    search = ToolSearch(registry_of(*tools))
    assert len(found(await ask(search, "send mail"))) == 5
    assert len(found(await ask(search, "send mail", limit=12))) == 12


async def test_when_nothing_fits_the_answer_says_how_to_search() -> None:
    result = await ask(ToolSearch(registry_of()), "anything")
    assert result.text.startswith("No tool found.")
    assert not result.is_error


def test_closing_ends_what_ranks_by_meaning_and_opens_nothing() -> None:
    class Opened:
        closed = False

        def put(self, entry: SearchEntry) -> None: ...

        def remove(self, key: str) -> None: ...

        def scores(self, query: str) -> dict[str, float]:
            return {}

        def close(self) -> None:
            self.closed = True

    opened: list[Opened] = []

    def open_meaning() -> Opened:
        opened.append(Opened())
        return opened[-1]

    registry = registry_of(*OFFICE)
    ToolSearch(registry, open_meaning=open_meaning).close()
    assert opened == []
    search = ToolSearch(registry, open_meaning=open_meaning)
    search.find(Principal("anna"), "weather", 5)
    search.close()
    assert [one.closed for one in opened] == [True]


async def test_how_many_tools_are_answered_and_of_one_server_can_be_set() -> None:
    tools = [Toy("mail", f"send_mail_{number}", "Sends mail.") for number in range(9)]
    others = [Toy(f"server{number}", "send_mail", "Sends mail.") for number in range(9)]
    search = ToolSearch(registry_of(*tools, *others), limits=SearchLimits(found=4, per_server=1))
    names = found(await ask(search, "send mail"))
    assert len(names) == 4
    assert sum(name.startswith("mcp_mail_") for name in names) <= 1
    assert "Default 4" in str(search.parameters)
