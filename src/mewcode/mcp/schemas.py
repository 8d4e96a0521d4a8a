"""A portable copy of a tool's schema for language models; the original stays as it came.

Providers refuse what JSON Schema allows: references, root combinations, objects without `properties`, arrays without
`items`, boolean schemas. The copy has none of these and is bounded in depth and size.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from mewcode.mcp.shapes import as_list, as_object

Schema: TypeAlias = Mapping[str, Any]

DEEPEST = 10
"""Levels of nesting that a model is shown; what lies below becomes "anything"."""
LARGEST = 24_000
"""Characters of JSON that one tool's schema may take; above it descriptions go, then depth."""

_DROPPED = frozenset(
    {
        "$schema",
        "$id",
        "$anchor",
        "$comment",
        "$defs",
        "definitions",
        "$vocabulary",
        "$dynamicAnchor",
        "$ref",
        "$dynamicRef",
    }
)
_ROOT_COMBINATIONS = ("anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentSchemas")
_MAPS_OF_SCHEMAS = ("properties", "patternProperties")
_LISTS_OF_SCHEMAS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SCHEMAS = ("items", "additionalProperties", "not", "contains", "propertyNames")


def portable(schema: Schema) -> dict[str, Any]:
    """The copy that a model gets: always an object with `properties`, with no references left."""
    for deepest, told in ((DEEPEST, True), (DEEPEST, False), (4, False), (2, False)):
        copy = _Copier(schema, deepest, told).root()
        if len(json.dumps(copy, ensure_ascii=False, default=str)) <= LARGEST:
            return copy
    return {"type": "object", "properties": {}}


class _Copier:
    """Copies one document; `told` keeps descriptions."""

    def __init__(self, document: Schema, deepest: int, told: bool) -> None:
        self._document = document
        self._deepest = deepest
        self._told = told
        self._nodes = 0

    def root(self) -> dict[str, Any]:
        copy = self._object(self._document, 0, ())
        for combination in _ROOT_COMBINATIONS:
            if combination == "allOf":
                self._merge(copy, copy.get("allOf"))
            copy.pop(combination, None)
        copy["type"] = "object"
        copy["properties"] = dict(as_object(copy.get("properties")))
        return copy

    def _copy(self, schema: Any, depth: int, through: tuple[str, ...]) -> dict[str, Any]:
        self._nodes += 1
        if not isinstance(schema, Mapping) or depth > self._deepest or self._nodes > 5_000:
            return {}
        return self._object(cast("Schema", schema), depth, through)

    def _object(self, schema: Schema, depth: int, through: tuple[str, ...]) -> dict[str, Any]:
        reference = schema.get("$ref", schema.get("$dynamicRef"))
        if isinstance(reference, str):
            if reference in through:
                return {}
            target = self._target(reference)
            rest = {key: value for key, value in schema.items() if key not in ("$ref", "$dynamicRef")}
            return self._object({**target, **rest}, depth, (*through, reference))
        copy = {key: self._value(key, value, depth, through) for key, value in schema.items() if self._kept(key)}
        return self._complete(copy)

    def _kept(self, key: str) -> bool:
        if key in _DROPPED or key.startswith("x-"):
            return False
        return self._told or key not in ("description", "title", "examples", "default")

    def _value(self, key: str, value: Any, depth: int, through: tuple[str, ...]) -> Any:
        if key in _MAPS_OF_SCHEMAS and isinstance(value, Mapping):
            members = cast("Mapping[str, Any]", value)
            return {name: self._copy(member, depth + 1, through) for name, member in members.items()}
        if key in _LISTS_OF_SCHEMAS and isinstance(value, list):
            return [self._copy(member, depth + 1, through) for member in cast("list[Any]", value)]
        if key == "additionalProperties" and isinstance(value, bool):
            return value
        if key in _SCHEMAS:
            return self._copy(value, depth + 1, through)
        return value

    def _complete(self, copy: dict[str, Any]) -> dict[str, Any]:
        if copy.get("type") == "object" and not isinstance(copy.get("properties"), dict):
            copy["properties"] = {}
        if copy.get("type") == "array" and not isinstance(copy.get("items"), dict):
            copy["items"] = {}
        required, properties = copy.get("required"), copy.get("properties")
        if "required" in copy:
            known = cast("dict[str, Any]", properties) if isinstance(properties, dict) else {}
            names = as_list(required)
            copy["required"] = [name for name in names if isinstance(name, str) and name in known]
            if not copy["required"]:
                del copy["required"]
        return copy

    def _merge(self, copy: dict[str, Any], parts: Any) -> None:
        for part in map(as_object, as_list(parts)):
            copy["properties"] = {**as_object(part.get("properties")), **as_object(copy.get("properties"))}
            required = [*as_list(copy.get("required")), *as_list(part.get("required"))]
            if required:
                copy["required"] = list(dict.fromkeys(required))

    def _target(self, reference: str) -> Schema:
        """What a local reference points to; anything else is "anything": nothing is ever fetched."""
        if not reference.startswith("#"):
            return {}
        node: Any = self._document
        for step in reference[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            if isinstance(node, Mapping):
                node = cast("Mapping[str, Any]", node).get(step)
            elif isinstance(node, list) and step.isdigit() and int(step) < len(cast("list[Any]", node)):
                node = cast("list[Any]", node)[int(step)]
            else:
                return {}
        return cast("Schema", node) if isinstance(node, Mapping) else {}
