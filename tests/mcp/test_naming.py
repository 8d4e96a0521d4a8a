"""Names for models: portable, unique, stable."""

import re

from hypothesis import given
from hypothesis import strategies as st

from mewcode.mcp.naming import LONGEST_NAME, model_names, prefix_of

TEXT = st.text(min_size=1, max_size=100)


def test_a_plain_name_is_kept_as_it_is() -> None:
    assert model_names("github", ["create_issue"]) == {"create_issue": "mcp_github_create_issue"}


def test_two_tools_that_would_share_a_name_both_get_a_hash_whatever_their_order() -> None:
    one = model_names("s", ["get.item", "get/item"])
    assert one == {name: model_names("s", ["get/item", "get.item"])[name] for name in one}
    assert len(set(one.values())) == 2
    assert all(name.startswith("mcp_s_get_item_") for name in one.values())


def test_an_exact_repeat_is_one_tool() -> None:
    assert model_names("s", ["a", "a"]) == {"a": "mcp_s_a"}


def test_a_name_that_another_server_has_taken_gets_a_hash() -> None:
    taken = set(model_names("a_b", ["c"]).values())
    name = model_names("a", ["b_c"], taken)["b_c"]
    assert name not in taken
    assert name.startswith("mcp_a_b_c_")


@given(TEXT, st.lists(TEXT, max_size=20))
def test_every_name_is_taken_by_every_provider_and_begins_with_its_server(server: str, tools: list[str]) -> None:
    names = model_names(server, tools)
    assert set(names) == set(tools)
    assert len(set(names.values())) == len(names)
    for name in names.values():
        assert re.fullmatch(r"[A-Za-z0-9_-]+", name)
        assert len(name) <= LONGEST_NAME
        assert name.startswith(prefix_of(server))
