"""Validates only the groups that a file mentions: building the schema of all of them costs 60 ms at start."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from mewcode.config.schema.settings import Settings

Mistake = Mapping[str, Any]
"""As pydantic describes one: type, loc, ctx, input."""


def validate_groups(plain: Mapping[str, Any]) -> tuple[Settings, list[Mistake]]:
    """The settings (defaults for what is not mentioned) and all mistakes. With mistakes, the settings do not count."""
    mistakes: list[Mistake] = []
    groups: dict[str, Any] = {}
    for name, value in plain.items():
        if name not in Settings.model_fields:
            mistakes.append({"type": "extra_forbidden", "loc": (name,), "input": value})
            continue
        try:
            groups[name] = _adapter(name).validate_python(value)
        except ValidationError as error:
            mistakes += [{**one, "loc": (name, *one["loc"])} for one in error.errors(include_url=False)]
    return _defaults().model_copy(update=groups), mistakes


@cache
def _defaults() -> Settings:
    """Frozen like all settings; filling sixty groups with defaults for each file would cost as much as the rest."""
    return Settings.model_construct()


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    """What `model_validate` would use for that field. Top-level fields have no constraints besides their type."""
    annotation: Any = Settings.model_fields[name].annotation
    return TypeAdapter(annotation)
