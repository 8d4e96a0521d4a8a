"""The note on tools that can be loaded: always within its budget, and only ever added to."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tools.search.toys import Toy, registry_of

from mewcode.calls import Principal
from mewcode.tools import ServerSource, ServerState
from mewcode.tools.search import ToolAnnouncements, reminder
from mewcode.tools.search.tokens import estimate_tokens

ALICE = Principal("alice")


def many(count: int, server: str = "github") -> list[Toy]:
    return [Toy(server, f"list_repository_things_{number:04d}") for number in range(count)]


def test_while_names_are_cheap_they_are_listed_by_server_with_their_beginning_said_once() -> None:
    registry = registry_of(*many(3), Toy("maps", "geocode"))
    text = reminder(registry, registry.sources)
    assert "mcp_github_*: list_repository_things_0000 list_repository_things_0001" in text
    assert "mcp_maps_geocode" in text


def test_beyond_the_budget_servers_and_counts_are_named_and_beyond_that_one_line() -> None:
    registry = registry_of(*many(2_000), *many(30, "gitlab"))
    assert "github 2000, gitlab 30" in reminder(registry, registry.sources, 200)
    servers = registry_of(*(Toy(f"server{number}", "tool") for number in range(500)))
    assert reminder(servers, servers.sources, 60) == (
        "500 tools of 500 servers can be found and loaded with tool_search, by words."
    )


@given(st.integers(0, 300), st.integers(0, 3_000), st.integers(1, 20))
@settings(max_examples=50, deadline=None)
def test_no_note_ever_costs_more_than_its_budget(tools: int, budget: int, servers: int) -> None:
    registry = registry_of(*(Toy(f"s{number % servers}", f"tool_{number}") for number in range(tools)))
    assert estimate_tokens(reminder(registry, registry.sources, budget)) <= budget


def test_a_further_tool_costs_at_most_thirty_bytes_while_names_are_listed() -> None:
    fewer, more = registry_of(*many(50)), registry_of(*many(60))
    grown = len(reminder(more, more.sources).encode()) - len(reminder(fewer, fewer.sources).encode())
    assert grown / 10 <= 30


def test_without_deferred_tools_there_is_nothing_to_say() -> None:
    assert reminder([], {}) == ""


def test_later_notes_say_only_what_is_new_or_gone() -> None:
    registry = registry_of(*many(3))
    told = ToolAnnouncements()
    assert "list_repository_things_0002" in (told.next(registry.view(ALICE), registry.sources) or "")
    assert told.next(registry.view(ALICE), registry.sources) is None
    registry.replace_server("maps", [Toy("maps", "geocode")])
    fresh = told.next(registry.view(ALICE), registry.sources) or ""
    assert "mcp_maps_geocode" in fresh
    assert "list_repository" not in fresh
    registry.replace_server("maps", [])
    assert told.next(registry.view(ALICE), registry.sources) == "Gone: mcp_maps_geocode"


def test_a_server_that_failed_is_told_once() -> None:
    registry = registry_of(*many(1))
    told = ToolAnnouncements()
    told.next(registry.view(ALICE), registry.sources)
    registry.sources["dead"] = ServerSource("dead", "mcp_dead_", ServerState.FAILED, "exit status 1")
    assert "dead" in (told.next(registry.view(ALICE), registry.sources) or "")
    assert told.next(registry.view(ALICE), registry.sources) is None


@given(st.lists(st.integers(0, 40), min_size=1, max_size=25), st.integers(0, 400))
@settings(max_examples=50, deadline=None)
def test_all_notes_of_a_session_together_stay_within_the_budget(sizes: list[int], budget: int) -> None:
    registry = registry_of()
    told = ToolAnnouncements(budget)
    spent = 0
    for size in sizes:
        registry.replace_server("github", many(size))
        spent += estimate_tokens(told.next(registry.view(ALICE), registry.sources) or "")
    assert spent <= budget
