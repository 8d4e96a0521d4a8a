"""The shipped sets say themselves what they match; here it is held true."""

import pytest

from mewcode.governance.commands import Preset, PresetRule, analyse, matches, preset

PRESETS = (preset("blacklist"), preset("whitelist"))
EXAMPLES = [(one.name, rule, line) for one in PRESETS for rule in one for line in rule.match]
COUNTEREXAMPLES = [(one.name, rule, line) for one in PRESETS for rule in one for line in rule.not_match]


def _matches(rule: PresetRule, line: str) -> bool:
    return any(matches(rule.rule, command) for command in analyse(line, cwd="/home/me/project").commands)


@pytest.mark.parametrize(
    ("name", "rule", "line"), EXAMPLES, ids=[f"{name}:{rule.rule}:{line}" for name, rule, line in EXAMPLES]
)
def test_a_rule_matches_its_examples(name: str, rule: PresetRule, line: str) -> None:
    assert _matches(rule, line)


@pytest.mark.parametrize(
    ("name", "rule", "line"),
    COUNTEREXAMPLES,
    ids=[f"{name}:{rule.rule}:{line}" for name, rule, line in COUNTEREXAMPLES],
)
def test_a_rule_matches_none_of_its_counterexamples(name: str, rule: PresetRule, line: str) -> None:
    assert not _matches(rule, line)


@pytest.mark.parametrize("one", PRESETS, ids=lambda one: one.name)
def test_every_rule_has_a_reason_examples_and_a_line(one: Preset) -> None:
    for rule in one:
        assert rule.reason
        assert rule.match
        assert rule.line > 1
        assert rule.effect in ("allow", "ask", "deny")


def test_the_whitelist_refuses_what_it_does_not_name() -> None:
    assert preset("whitelist").default == "deny"
    assert preset("blacklist").default is None


def test_an_unknown_set_is_an_error() -> None:
    with pytest.raises(KeyError):
        preset("greylist")  # type: ignore[arg-type]
