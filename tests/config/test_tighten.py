"""Which value is tighter than another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.config.tighten import at_least_as_tight, can_tighten


@given(st.integers(), st.integers())
def test_a_limit_is_tighter_when_it_is_lower(value: int, base: int) -> None:
    assert at_least_as_tight(("limits", "per_minute"), value, base) is (value <= base)
    assert at_least_as_tight(("limits", "deadlines", "x"), value, base) is (value <= base)


@pytest.mark.parametrize(
    ("key", "value", "base", "tight"),
    [
        ("agent.max_cost", 1.0, None, True),
        ("agent.max_cost", None, 1.0, False),
        ("trust.escalate", True, False, True),
        ("trust.escalate", False, True, False),
        ("sandbox.mode", "workspace", None, True),
        ("sandbox.mode", "off", None, False),
        ("sandbox.mode", "off", "off", True),
        ("sandbox.mode", "strict", "workspace", True),
        ("mode", "default", "auto", True),
        ("mode", "auto", "default", False),
        ("mcp.tool_changes", "ask", "note", True),
        ("commands.preset", "blacklist", "whitelist", False),
        ("ui.theme", "dark", "dark", False),
    ],
)
def test_words_have_an_order(key: str, value: object, base: object, tight: bool) -> None:
    assert at_least_as_tight(key.split("."), value, base) is tight


def test_most_settings_have_no_tighter_value() -> None:
    assert can_tighten(("limits", "tools", "x", "per_minute"))
    assert not can_tighten(("providers",))
    assert not can_tighten(("tools", "run_command", "env"))
