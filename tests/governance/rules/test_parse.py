"""The text of a rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.calls import Effect
from mewcode.governance.rules import AnyArguments, MainArgument, Pairs, parse_rule
from mewcode.governance.rules.problem import RuleError


@pytest.mark.parametrize("text", ["read_file", "read_file(*)", " mcp_github_*(*) ", "mcp:github/get_issue"])
def test_a_rule_without_a_pattern_means_every_call(text: str) -> None:
    assert isinstance(parse_rule(text, Effect.ALLOW).arguments, AnyArguments)


def test_a_pattern_may_hold_parentheses_and_commas() -> None:
    rule = parse_rule("run_command(git log --format=%(refname), -1)", Effect.ALLOW)
    assert rule.arguments == MainArgument("git log --format=%(refname), -1")


def test_pairs_may_be_nested_and_quoted() -> None:
    rule = parse_rule('mcp_x_y(issue.title="a, b", repo=acme/*)', Effect.ALLOW)
    assert isinstance(rule.arguments, Pairs)
    assert [(key, pattern.text) for key, pattern in rule.arguments.entries] == [
        ("issue.title", "a, b"),
        ("repo", "acme/*"),
    ]


@pytest.mark.parametrize(
    "text", ["", "()", "(x)", "read file(x)", "read_file(x", "read_file()", "mcp:github", "mcp:/x"]
)
def test_what_cannot_be_read_is_an_error_that_says_how(text: str) -> None:
    with pytest.raises(RuleError):
        parse_rule(text, Effect.ALLOW)


@given(st.text(max_size=60))
def test_any_text_is_a_rule_or_a_rule_error(text: str) -> None:
    try:
        rule = parse_rule(text, Effect.DENY)
    except RuleError:
        return
    assert parse_rule(rule.text, Effect.DENY) == rule
