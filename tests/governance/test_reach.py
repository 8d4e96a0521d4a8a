"""Which servers a principal has anything to do with, before their tools are known."""

import pytest

from mewcode.calls import Door, Principal
from mewcode.governance import Bounds, Policy, Role, Roles
from mewcode.governance.reach import may_reach


@pytest.mark.parametrize(
    ("tools", "reached"),
    [
        (("*",), True),
        (("mcp_*",), True),
        (("mcp_git_*",), True),
        (("mcp_git_push",), True),
        (("mcp:git/push",), True),
        (("mcp:*/push",), True),
        (("read_resource",), True),
        (("read_file", "run_command"), False),
        (("mcp_github_*",), False),
        (("mcp:github/*",), False),
        ((), False),
    ],
)
def test_a_server_is_reached_by_whose_role_could_name_a_tool_of_it(tools: tuple[str, ...], reached: bool) -> None:
    policy = Policy(bounds=Bounds(Roles({"r": Role("r", tools)})))
    assert may_reach(policy, Principal("alice", ("r",), Door.SERVE_HTTP), "git") is reached


def test_whoever_comes_over_the_network_without_a_role_reaches_nothing() -> None:
    assert not may_reach(Policy(), Principal("alice", (), Door.SERVE_HTTP), "git")
