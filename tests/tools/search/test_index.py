"""What a search finds, and that it follows the tools as they change."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tools.search.toys import OFFICE, Toy

from mewcode.tools.search.entry import SearchEntry
from mewcode.tools.search.index import SearchIndex


def index_of(*tools: Toy) -> SearchIndex:
    index = SearchIndex()
    for tool in tools:
        index.add(SearchEntry.of(tool))
    return index


def first(index: SearchIndex, query: str) -> str:
    return index.search(query, 1)[0].entry.name


@pytest.mark.parametrize(
    ("query", "tool"),
    [
        ("file a bug ticket", "create_issue"),
        ("list pull requests", "listPullRequests"),
        ("all PRs of the repo", "listPullRequests"),
        ("will it rain tomorrow: weather forecast", "get_forecast"),
        ("how do I drive there, directions", "driving_route"),
        ("coordinates of an address", "geocode"),
        ("invoices", "list_orders"),
        ("customer id", "list_orders"),
        ("查询天气预报", "get_forecast"),
        ("创建一个问题", "create_issue"),
        ("读取文档", "read_document"),
        ("read a document", "read_document"),
        ("驾车路线", "driving_route"),
        ("forcast", "get_forecast"),
        ("repositories search", "search_code"),
    ],
)
def test_words_in_either_language_find_the_tool_that_does_it(query: str, tool: str) -> None:
    assert first(index_of(*OFFICE), query) == tool


NUMBERED = tuple(Toy("big", f"tool_{number:03d}", "One of many tools that are all alike.") for number in range(500))


@pytest.mark.parametrize(
    "query",
    ["tool 077", "tool_077", "TOOL-077", "tool077", "mcp_big_tool_077", "big tool 077", "big/tool_077", "tool 77"],
)
def test_among_five_hundred_alike_the_one_that_is_named_comes_first(query: str) -> None:
    assert first(index_of(*NUMBERED), query) == "tool_077"


def test_a_slip_in_a_name_still_finds_it_but_never_another_number() -> None:
    index = index_of(*OFFICE, *NUMBERED)
    assert first(index, "create_isue") == "create_issue"
    assert first(index, "geocdoe") == "geocode"
    assert "tool_077" not in [found.entry.name for found in index.search("tool_0777", 1)]


def test_an_exact_name_wins_over_a_tool_that_fits_the_words_better() -> None:
    talkative = Toy("noise", "everything", "geocode geocode geocode geocode address coordinates")
    assert first(index_of(*OFFICE, talkative), "geocode") == "geocode"


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_the_names_are_each_is_found_by_itself(data: st.DataObject) -> None:
    alphabet = string.ascii_letters + string.digits + "_-."
    names = data.draw(st.lists(st.text(alphabet, min_size=1, max_size=20), min_size=1, max_size=20, unique=True))
    tools = [Toy("server", name, "Does something with data.") for name in names]
    index = index_of(*tools)
    for tool in tools:
        same = {"".join(c for c in other.name.lower() if c.isalnum()) for other in tools}
        form = "".join(c for c in tool.name.lower() if c.isalnum())
        assert form in same
        found = index.search(tool.name, 1)[0].entry
        assert "".join(c for c in found.key.lower() if c.isalnum()) == form


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_no_query_whatever_breaks_the_search(query: str) -> None:
    found = index_of(*OFFICE).search(query, 5, per_server=3)
    assert len(found) <= 5
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


@given(st.lists(st.sampled_from(range(len(OFFICE))), max_size=30))
@settings(max_examples=60, deadline=None)
def test_an_index_changed_step_by_step_ranks_as_one_made_at_once(steps: list[int]) -> None:
    changed, present = SearchIndex(), dict.fromkeys(range(0))
    for step in steps:
        if step in present:
            changed.remove(OFFICE[step].name)
            del present[step]
        else:
            changed.add(SearchEntry.of(OFFICE[step]))
            present[step] = None
    fresh = index_of(*(OFFICE[step] for step in present))
    for query in ("weather forecast", "pull request", "查询天气", "document"):
        ranks = [{one.entry.key: round(one.score, 6) for one in index.search(query, 9)} for index in (changed, fresh)]
        assert ranks[0] == ranks[1]


def test_a_replaced_tool_is_found_by_its_new_words_only() -> None:
    index = index_of(*OFFICE)
    index.add(SearchEntry.of(Toy("maps", "geocode", "Plays a song.")))
    assert len(index) == len(OFFICE)
    assert first(index, "play music") == "geocode"
    assert first(index, "address") != "geocode" or index.search("latitude", 1)[0].entry.name == "get_forecast"


def test_no_server_floods_an_answer_while_others_fit_as_well() -> None:
    flood = [Toy("flood", f"send_mail_{letter}", "Sends an e-mail message.") for letter in "abcdefgh"]
    index = index_of(
        *flood, Toy("mail", "send", "Sends an e-mail message."), Toy("post", "mail", "Sends an e-mail message.")
    )
    servers = [found.entry.server for found in index.search("send e-mail message", 5, per_server=3)]
    assert {"mail", "post"} <= set(servers)
    assert servers.count("flood") == 3


def test_a_server_with_all_the_fitting_tools_fills_the_answer() -> None:
    flood = [Toy("flood", f"send_mail_{letter}", "Sends an e-mail message.") for letter in "abcdefgh"]
    found = index_of(*flood, *OFFICE).search("send e-mail message", 5, per_server=3)
    assert [one.entry.server for one in found] == ["flood"] * 5


def test_only_what_is_let_through_is_found() -> None:
    found = index_of(*OFFICE).search("weather", 5, keep=lambda entry: entry.server != "weather")
    assert all(one.entry.server != "weather" for one in found)


@pytest.mark.parametrize(
    "schema", [{}, {"properties": None}, {"properties": {"a": None, "b": {"description": 5}}}, {"properties": []}]
)
def test_schemas_that_are_not_as_they_should_be_are_indexed_all_the_same(schema: dict[str, object]) -> None:
    index = SearchIndex()
    index.add(SearchEntry("key", "server", "odd_tool", "An odd tool.", schema))
    assert first(index, "odd") == "odd_tool"


def test_a_huge_description_costs_no_more_than_its_beginning() -> None:
    index = index_of(Toy("huge", "talk", "word " * 500_000 + "needle"), *OFFICE)
    assert first(index, "weather forecast") == "get_forecast"
    assert "talk" not in [found.entry.name for found in index.search("needle", 9)]
