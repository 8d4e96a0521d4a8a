"""Which tools a rule names: (server, tool), never a split string."""

from hypothesis import given
from hypothesis import strategies as st

from mewcode.governance.rules import NamePattern, ToolName, Wildcard

NAMES = st.text(alphabet="ab_*\\", max_size=8)


def remote(server: str, tool: str) -> ToolName:
    return ToolName(f"mcp_{server}_{tool}", server, tool)


def test_an_allow_that_spells_out_a_server_counts_for_that_server_only() -> None:
    pattern = NamePattern("mcp_my_server_*")
    assert pattern.allows(remote("my_server", "get"), ["my", "my_server"])
    assert not pattern.allows(remote("my", "server_get"), ["my", "my_server"])
    assert pattern.allows(remote("my", "server_get"), ["my"])


def test_a_server_with_a_look_alike_name_gains_nothing() -> None:
    pattern = NamePattern("mcp_github_*")
    assert not pattern.allows(remote("github_evil", "x"), ["github", "github_evil"])
    assert not NamePattern("mcp_github_get").allows(remote("git", "hub_get"), ["git", "github"])


def test_a_deny_matches_every_reading_whatever_the_case() -> None:
    pattern = NamePattern("mcp_my_server_*")
    assert pattern.tightens(remote("my", "server_get"))
    assert pattern.tightens(remote("my_server", "get"))
    assert NamePattern("mcp_*_DELETE_*").tightens(remote("a", "x_delete_y"))


def test_a_shortened_model_name_is_found_by_its_original_name() -> None:
    name = ToolName("mcp_long_abc123", "long", "a_very_long_name")
    assert NamePattern("mcp_long_a_very_*").tightens(name)
    assert NamePattern("mcp_long_abc123").tightens(name)
    assert NamePattern("mcp_long_a_very_*").allows(name, ["long"])


def test_the_exact_form_names_one_server_and_tool() -> None:
    pattern = NamePattern("mcp:my/server_get")
    assert pattern.allows(remote("my", "server_get"), [])
    assert not pattern.allows(remote("my_server", "get"), [])
    assert not pattern.tightens(ToolName("read_file", None, "read_file"))


def test_a_built_in_name_means_no_remote_tool() -> None:
    assert not NamePattern("read_file").allows(remote("fs", "read_file"), ["fs"])


@given(NAMES, NAMES)
def test_a_wildcard_that_covers_another_matches_whatever_that_matches(broad: str, narrow: str) -> None:
    covering, covered = Wildcard(broad), Wildcard(narrow)
    if covering.covers(covered):
        for filling in ("", "a", "ab_", "*"):
            assert covering.matches(filling.join(covered.parts))


@given(st.text(max_size=30))
def test_a_star_matches_any_text_and_a_literal_only_itself(text: str) -> None:
    assert Wildcard("*").matches(text)
    literal = Wildcard(text.replace("\\", "\\\\").replace("*", "\\*"))
    assert literal.literal
    assert literal.matches(text)
    assert not literal.matches(text + "x")


def test_a_wildcard_with_many_stars_is_quick_on_a_long_text() -> None:
    assert not Wildcard("*a" * 500 + "b").matches("a" * 100_000)


def test_the_start_and_the_end_of_a_pattern_share_no_character() -> None:
    assert not Wildcard("ab*ba").matches("aba")
    assert Wildcard("ab*ba").matches("abba")
    assert not Wildcard("aa*aa").matches("aaa")


def test_parts_in_the_middle_lie_in_their_order_between_start_and_end() -> None:
    assert Wildcard("a*bb*cc*d").matches("a1bb2cc3d")
    assert not Wildcard("a*bb*cc*d").matches("a1cc2bb3d")
    assert not Wildcard("a*bc*c").matches("abc")
    assert not Wildcard("ab*b*c").matches("abc")
