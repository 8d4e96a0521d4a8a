"""One tool as a server offers it, taken from whatever the server sent."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mewcode.calls import Effects
from mewcode.mcp.shapes import as_list, as_object, as_text

LONGEST_DESCRIPTION = 4_000
"""Characters of a description that a model is shown."""


@dataclass(frozen=True)
class ToolDefinition:
    """`wire` is the definition exactly as it came; the rest is what could be read from it."""

    name: str
    description: str = ""
    title: str | None = None
    input_schema: Mapping[str, Any] = field(default_factory=dict[str, Any])
    output_schema: Mapping[str, Any] | None = None
    effects: Effects = field(default_factory=Effects)
    wire: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)

    @cached_property
    def fingerprint(self) -> str:
        """Changes when anything that was approved changes: the name, the description, the schemas, the annotations."""
        return hashlib.sha256(json.dumps(self.wire, sort_keys=True, default=str).encode()).hexdigest()

    @classmethod
    def read(cls, wire: Mapping[str, Any]) -> "ToolDefinition":
        """Takes what is usable. `wire` has a name that is a string: `repair` saw to that."""
        annotations = as_object(wire.get("annotations"))
        title = wire.get("title") or annotations.get("title")
        description = wire.get("description")
        return cls(
            name=wire["name"],
            description=description[:LONGEST_DESCRIPTION] if isinstance(description, str) else "",
            title=title if isinstance(title, str) else None,
            input_schema=object_schema(wire.get("inputSchema")),
            output_schema=as_object(wire.get("outputSchema")) or None,
            effects=_effects(annotations),
            wire=wire,
        )


def object_schema(schema: Any) -> dict[str, Any]:
    """An input schema that is at least an object: arguments always are."""
    return {**well_formed(schema), "type": "object"}


def well_formed(schema: Any) -> dict[str, Any]:
    """The schema with those members in their shape that MCP's types speak of (revision 2025-11-25).

    One of them in another shape would make the SDK refuse a whole list of tools, on our side or a client's.
    """
    mended = dict(as_object(schema))
    for key, mend in _SHAPES.items():
        if mended.get(key) is not None:
            mended[key] = mend(mended[key])
        if mended.get(key, mended) is None:
            del mended[key]
    return mended


def _properties(value: Any) -> dict[str, Any] | None:
    """A property whose schema is none may have any value."""
    if not isinstance(value, Mapping):
        return None
    return {name: member if isinstance(member, dict | bool) else {} for name, member in as_object(value).items()}


def _required(value: Any) -> list[str] | None:
    return [name for name in as_list(value) if isinstance(name, str)] if isinstance(value, list) else None


_SHAPES: Mapping[str, Callable[[Any], Any]] = {"$schema": as_text, "properties": _properties, "required": _required}


def _effects(annotations: Mapping[str, Any]) -> Effects:
    """Annotations are hints of an outsider: they may only make a tool look tamer where rules agree (DESIGN, Tool)."""
    only_reads = annotations.get("readOnlyHint") is True
    return Effects(
        reads=True,
        writes=not only_reads,
        network=annotations.get("openWorldHint") is True
        or (not only_reads and annotations.get("openWorldHint") is None),
        destructive=not only_reads and annotations.get("destructiveHint") is True,
    )
