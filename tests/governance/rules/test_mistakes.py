"""A rule that protects nothing is said to be one, with the name that was meant."""

from collections.abc import Callable

import pytest
from tests.governance.house import allow, deny
from tests.governance.tools import ReadFile, RunCommand, WriteFile

from mewcode.governance.rules.check import Known, check_rules, wrong_rules
from mewcode.governance.rules.rule import Rule

KNOWN = Known(("github", "my_server"), (ReadFile(), WriteFile(), RunCommand()), ("read_resource", "tool_search"))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("mcp__github__*", "mcp_github_*"),
        ("mcp__github", "mcp_github_*"),
        ("mcp__my_server__get_*", "mcp_my_server_get_*"),
        ("mcp__elsewhere__get", "mcp_elsewhere_get"),
        ("mcp_gihub_create", "mcp_github_*"),
        ("Bash(rm *)", "run_command"),
        ("Edit(src/**)", "edit_file"),
        ("run_comand(rm *)", "run_command"),
        ("nothing_like_it", "-"),
    ],
)
def test_a_rule_that_fits_nothing_is_a_mistake_and_the_name_that_was_meant_is_given(text: str, meant: str) -> None:
    [problem] = wrong_rules([deny(text)], KNOWN)
    assert problem.rule == text
    assert f"Nearest: {meant}." in problem.message


@pytest.mark.parametrize(
    "text", ["mcp_*_delete_*", "mcp_github_*", "*", "read_resource(x)", "tool_*", "mcp:jira/*", "mcp_jira_*"]
)
def test_a_rule_for_one_of_our_tools_or_for_a_server_of_another_project_is_no_mistake(text: str) -> None:
    assert wrong_rules([deny(text)], KNOWN) == ()


def test_the_colon_that_others_write_before_a_star_is_doubted_in_an_allow() -> None:
    [problem] = check_rules([allow("run_command(git push:*)")], KNOWN)
    assert "git push *" in problem.message
    assert check_rules([deny("run_command(git push:*)")], KNOWN) == ()


@pytest.mark.parametrize("rule", [allow, deny])
def test_the_later_of_two_rules_that_say_the_same_adds_nothing(rule: Callable[[str], Rule]) -> None:
    wide, narrow = rule("run_command(git *)"), rule("run_command(git status)")
    [problem] = check_rules([wide, narrow], KNOWN)
    assert problem.rule == narrow.text
    assert wide.text in problem.message
    assert check_rules([narrow, wide], KNOWN) == ()
