"""Checks structured content against the schema that its tool declared. A mismatch is marked, never fatal."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

_LARGEST = 1_000_000
"""Characters of structured content above which it is not checked: checking must not hold up the loop."""


def mismatch(schema: Mapping[str, Any], structured: Any) -> str | None:
    """What is wrong with `structured`, in a line; None when it fits, or when that cannot be told."""
    if structured is None:
        return "the tool declares structured content and sent none"
    if len(str(structured)) > _LARGEST:
        return None
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError, ValidationError
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    try:
        bounded = _bounded(schema)
        Draft202012Validator.check_schema(bounded)
        validator = Draft202012Validator(bounded, registry=Registry())
        errors: Iterator[ValidationError] = validator.iter_errors(structured)  # pyright: ignore[reportUnknownMemberType]
        error = next(errors, None)
    except (SchemaError, Unresolvable, RecursionError):
        return "the tool's outputSchema is no usable schema"
    return None if error is None else f"{error.json_path}: {error.message[:200]}"


def _bounded(schema: Any, depth: int = 0) -> Any:
    if depth > 60:
        return {}
    if isinstance(schema, Mapping):
        members = cast("Mapping[str, Any]", schema)
        return {key: _bounded(value, depth + 1) for key, value in members.items() if not _unbounded(key, value)}
    if isinstance(schema, list):
        return [_bounded(item, depth + 1) for item in cast("list[Any]", schema)]
    return schema


def _unbounded(key: str, value: Any) -> bool:
    """A server's own regular expressions could run for ever; references are only followed within the schema."""
    if key == "patternProperties":
        return True
    if key in ("$ref", "$dynamicRef"):
        return isinstance(value, str) and not value.startswith("#")
    return key == "pattern" and isinstance(value, str)
