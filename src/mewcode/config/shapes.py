"""Plain data out of files, narrowed to what it is."""

from typing import Any, cast


def as_mapping(value: object) -> dict[str, Any] | None:
    """The mapping, None for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def as_list(value: object) -> list[Any] | None:
    """The list (a tuple counts), None for anything else. Text is no list."""
    return list(cast("list[Any]", value)) if isinstance(value, list | tuple) else None
