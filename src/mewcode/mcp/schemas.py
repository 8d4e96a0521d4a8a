"""A portable copy of a tool's schema for language models; the original stays as it came.

Providers refuse what JSON Schema allows: references, root combinations, objects without `properties`, arrays without
`items`, boolean schemas, names of arguments with odd characters, and keywords that break JSON Schema 2020-12
(`keywords`). The copy has none of these and is bounded in depth and size.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from mewcode.mcp.keywords import LEFT_OUT, takes, usable
from mewcode.mcp.shapes import as_list, as_object

Schema: TypeAlias = Mapping[str, Any]

DEEPEST = 10
"""Levels of nesting that a model is shown; what lies below becomes "anything"."""
LARGEST = 24_000
"""Characters of JSON that one tool's schema may take; above it descriptions go, then depth."""

_ROOT_ALTERNATIVES = ("anyOf", "oneOf")
_ROOT_COMBINATIONS = ("anyOf", "oneOf", "allOf", "not")
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
        self._merge(copy, copy.get("allOf"))
        for alternative in _ROOT_ALTERNATIVES:
            self._merge(copy, copy.get(alternative), demands=False)
        for combination in _ROOT_COMBINATIONS:
            copy.pop(combination, None)
        copy["type"] = "object"
        copy["properties"] = dict(as_object(copy.get("properties")))
        return _with_plain_names(copy)

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
        return self._complete({key: value for key, value in copy.items() if value is not LEFT_OUT})

    def _kept(self, key: str) -> bool:
        return self._told or key not in ("description", "title", "examples", "default")

    def _value(self, key: str, value: Any, depth: int, through: tuple[str, ...]) -> Any:
        if key in _MAPS_OF_SCHEMAS:
            named = {
                name: self._copy(member, depth + 1, through)
                for name, member in as_object(value).items()
                if key == "properties" or usable("pattern", name) is not LEFT_OUT
            }
            return named if isinstance(value, Mapping) else LEFT_OUT
        if key in _LISTS_OF_SCHEMAS:
            return [self._copy(member, depth + 1, through) for member in as_list(value)] or LEFT_OUT
        if key == "items" and isinstance(value, list):
            # Before 2020-12 this was how a tuple was written.
            return {"anyOf": [self._copy(member, depth + 1, through) for member in as_list(value)]} if value else {}
        if key == "additionalProperties" and isinstance(value, bool):
            return value
        if key in _SCHEMAS:
            return self._copy(value, depth + 1, through)
        return usable(key, value)

    def _complete(self, copy: dict[str, Any]) -> dict[str, Any]:
        kind = copy.get("type")
        kinds = cast("list[Any]", kind) if isinstance(kind, list) else [kind]
        if "object" in kinds and not isinstance(copy.get("properties"), dict):
            copy["properties"] = {}
        if "array" in kinds and not isinstance(copy.get("items"), dict):
            copy["items"] = {}
        required, properties = copy.get("required"), copy.get("properties")
        if "required" in copy:
            known = cast("dict[str, Any]", properties) if isinstance(properties, dict) else {}
            names = as_list(required)
            copy["required"] = [name for name in _distinct(names) if name in known]
            if not copy["required"]:
                del copy["required"]
        return copy

    def _merge(self, copy: dict[str, Any], parts: Any, *, demands: bool = True) -> None:
        """Takes over the properties of the parts, and what they require where all of them count (`demands`)."""
        for part in map(as_object, as_list(parts)):
            known = as_object(copy.get("properties"))
            more = {name: member for name, member in as_object(part.get("properties")).items() if name not in known}
            copy["properties"] = {**known, **more}
            required = [*as_list(copy.get("required")), *as_list(part.get("required"))]
            if required and demands:
                copy["required"] = _distinct(required)

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


def _distinct(names: list[Any]) -> list[str]:
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))


def _with_plain_names(copy: dict[str, Any]) -> dict[str, Any]:
    """Arguments whose names a provider would refuse (`$filter`) are told in words: a model may still send them."""
    properties = as_object(copy["properties"])
    odd = {name: schema for name, schema in properties.items() if not takes(name)}
    if not odd:
        return copy
    required = as_list(copy.pop("required", None))
    needed, plain = [n for n in required if n in odd], [n for n in required if n not in odd]
    told = f"Further arguments, under exactly these names: {json.dumps(odd, ensure_ascii=False, default=str)}."
    if needed:
        told += f" Required of them: {', '.join(needed)}."
    copy.pop("additionalProperties", None)
    copy["properties"] = {name: schema for name, schema in properties.items() if name not in odd}
    copy["description"] = f"{copy.get('description', '')} {told}".strip()
    return {**copy, "required": plain} if plain else copy
