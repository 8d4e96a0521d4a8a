"""Takes JSON from outside by its shape: what has another shape counts as empty."""

from collections.abc import Mapping
from typing import Any, cast


def as_object(value: Any) -> Mapping[str, Any]:
    """The object, or an empty one."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def as_list(value: Any) -> list[Any]:
    """The list, or an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
