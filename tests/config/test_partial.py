"""Validating the groups that are mentioned is the same as validating everything."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from mewcode.config.schema import Settings
from mewcode.config.schema.partial import validate_groups
from mewcode.config.source_file import SourceText
from mewcode.config.yaml_source import parse_yaml

PRODUCT = Path(__file__).parent / "product_settings.yaml"


def test_the_same_settings_come_out() -> None:
    plain = parse_yaml(SourceText(PRODUCT.read_text(encoding="utf-8"), PRODUCT, "user")).plain()
    settings, mistakes = validate_groups(plain)
    assert mistakes == []
    assert settings == Settings.model_validate(plain)
    assert validate_groups({})[0] == Settings.model_validate({})


@pytest.mark.parametrize(
    "plain", [{"x": 1}, {"mode": "fast", "limits": {"per_minute": "a"}}, {"permissions": [{"rule": "a"}]}, {"roles": 3}]
)
def test_the_same_mistakes_come_out(plain: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(plain)
    expected = [(one["type"], one["loc"]) for one in caught.value.errors()]
    assert sorted(expected) == sorted((one["type"], one["loc"]) for one in validate_groups(plain)[1])


def test_top_level_settings_have_no_constraint_besides_their_type() -> None:
    assert [name for name, field in Settings.model_fields.items() if field.metadata] == []
