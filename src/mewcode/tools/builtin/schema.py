"""JSON Schemas of parameters, written shortly."""

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]


def parameters(properties: Mapping[str, Schema], *, required: tuple[str, ...] = ()) -> Schema:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def text(description: str, **more: Any) -> Schema:
    return {"type": "string", "description": description, **more}


def count(description: str, *, minimum: int = 1, maximum: int | None = None, **more: Any) -> Schema:
    limits = {"minimum": minimum} if maximum is None else {"minimum": minimum, "maximum": maximum}
    return {"type": "integer", "description": description, **limits, **more}


def flag(description: str) -> Schema:
    return {"type": "boolean", "description": description, "default": False}


PATH_RULES = "Relative to the workspace, or absolute within it."
