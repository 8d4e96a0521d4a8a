"""JSON Schema validation whose cost is bounded, whoever wrote the schema.

A schema of an MCP server is an outsider's: it may be huge, refer to itself without end, point into the network, or
hold a regular expression that never comes back. Whatever would be too costly is left to the server's own validation.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from mewcode.calls import Json

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MOST_NODES = 20_000
"""Objects and lists in a schema or in arguments."""
DEEPEST = 64
MOST_REFERENCES = 20_000
"""Times that `$ref` is followed in one validation: a chain of doublings is exponential."""
MOST_PROBLEMS = 8
_LONGEST_MESSAGE = 300
_MOST_UNIQUE = 500
"""Items that are compared with each other: the cost is quadratic."""
_LONGEST_FOR_PATTERN = 20_000
_LONGEST_FOR_TWO_RUNS = 500
"""Characters that a pattern with several open-ended runs is tried on: its cost grows with their power."""

_GROUP_REPEATED = re.compile(r"\)\s*(?:[*+]|\{\d*,)")
_OPEN_RUN = re.compile(r"(?<!\\)(?:[*+]|\{\d*,\d*\})")
_followed: ContextVar[list[int]] = ContextVar("followed")
"""The references that the validation at hand has followed."""
_BACKWARD = re.compile(r"\\[1-9]|\(\?P=")


class TooCostlyError(Exception):
    """The schema would cost more than an argument check may."""


def problems_of(schema: Mapping[str, Json], arguments: Mapping[str, Json]) -> list[str]:
    """What does not fit, one sentence a problem, the field first; empty where all fits or the schema is unusable."""
    from jsonschema.exceptions import SchemaError, UnknownType
    from referencing.exceptions import Unresolvable

    try:
        _check_size(schema)
        _check_size(arguments, is_schema=False)
        found = _errors(schema, arguments)
    except TooCostlyError:
        return []
    except (
        RecursionError,
        SchemaError,
        UnknownType,
        Unresolvable,
        re.error,
        TypeError,
        ValueError,
        AttributeError,
        KeyError,
    ):
        return []  # a schema that means nothing: the tool judges its arguments itself
    return [_sentence(error, schema) for error in found]


def is_safe_pattern(pattern: str, length: int) -> bool:
    """Whether trying the pattern on a text of that many characters is surely quick."""
    if length > _LONGEST_FOR_PATTERN or len(pattern) > 1_000 or _BACKWARD.search(pattern):
        return False
    if _GROUP_REPEATED.search(pattern):
        return _is_simple_repetition(pattern) and length <= _LONGEST_FOR_TWO_RUNS
    return len(_OPEN_RUN.findall(pattern)) <= 1 or length <= _LONGEST_FOR_TWO_RUNS


def _is_simple_repetition(pattern: str) -> bool:
    """One repeated group that holds neither a choice nor a run of its own: `^(ab)+$`."""
    inside = re.search(r"\(([^()]*)\)\s*(?:[*+]|\{\d*,)", pattern)
    if inside is None or pattern.count("(") != 1:
        return False
    return not re.search(r"[|*+?{]", inside[1].removeprefix("?:"))


def _errors(schema: Mapping[str, Json], arguments: Mapping[str, Json]) -> "list[ValidationError]":
    from itertools import islice

    from jsonschema.validators import validator_for
    from jsonschema_specifications import REGISTRY

    bounded = _bounded(validator_for(schema))
    # A `$schema` further in would switch to a class without our bounds; `_check_size` saw that there is none.
    plain = {key: value for key, value in schema.items() if key != "$schema"}
    # With a registry of its own the validator fetches nothing: an unknown reference is an error.
    validator: Any = bounded(plain, registry=REGISTRY)
    token = _followed.set([])
    try:
        return sorted(islice(validator.iter_errors(dict(arguments)), MOST_PROBLEMS), key=lambda e: str(e.json_path))
    finally:
        _followed.reset(token)


@lru_cache(maxsize=16)
def _bounded(kind: Any) -> Any:
    """The validator class of a draft, with the keywords that can be made expensive replaced."""
    from jsonschema import validators

    keywords: Mapping[str, Any] = kind.VALIDATORS
    follow = {name: _counted(keywords[name]) for name in ("$ref", "$dynamicRef", "$recursiveRef") if name in keywords}
    extend: Any = validators.extend  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return extend(
        kind,
        {
            **follow,
            "pattern": _pattern,
            "patternProperties": _with_safe_patterns(keywords["patternProperties"]),
            "uniqueItems": _unique(keywords["uniqueItems"]),
        },
    )


def _counted(follow: Any) -> Any:
    def counted(validator: Any, reference: Any, instance: Any, schema: Any) -> "Iterator[ValidationError]":
        followed = _followed.get()
        followed.append(1)
        if len(followed) > MOST_REFERENCES:
            raise TooCostlyError
        yield from follow(validator, reference, instance, schema) or ()

    return counted


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> "Iterator[ValidationError]":
    from jsonschema.exceptions import ValidationError

    if not isinstance(instance, str) or not is_safe_pattern(pattern, len(instance)):
        return
    if not re.search(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _with_safe_patterns(check: Any) -> Any:
    def checked(validator: Any, patterns: Any, instance: Any, schema: Any) -> Any:
        if not isinstance(instance, Mapping):
            return
        longest = max((len(key) for key in cast("Mapping[str, Any]", instance)), default=0)
        safe = {text: inner for text, inner in patterns.items() if is_safe_pattern(text, longest)}
        yield from check(validator, safe, instance, schema) or ()

    return checked


def _unique(check: Any) -> Any:
    def checked(validator: Any, wanted: Any, instance: Any, schema: Any) -> Any:
        if isinstance(instance, list) and len(cast("list[Any]", instance)) > _MOST_UNIQUE:
            return
        yield from check(validator, wanted, instance, schema) or ()

    return checked


def _check_size(value: Json, *, is_schema: bool = True) -> None:
    left = MOST_NODES
    waiting: list[tuple[Json, int]] = [(value, 0)]
    while waiting:
        node, depth = waiting.pop()
        if not isinstance(node, (Mapping, list, tuple)):
            continue
        left -= 1
        if left < 0 or depth > DEEPEST:
            raise TooCostlyError
        if is_schema and depth and isinstance(node, Mapping) and "$schema" in node:
            raise TooCostlyError
        inner = cast("Mapping[str, Json]", node).values() if isinstance(node, Mapping) else cast("Sequence[Json]", node)
        waiting.extend((item, depth + 1) for item in inner)


def _sentence(error: "ValidationError", schema: Mapping[str, Json]) -> str:
    field = error.json_path.removeprefix("$").removeprefix(".") or "arguments"
    text = error.message if len(error.message) <= _LONGEST_MESSAGE else f"{error.message[:_LONGEST_MESSAGE]}…"
    properties = schema.get("properties")
    if error.validator == "additionalProperties" and isinstance(properties, Mapping):
        text += f" The parameters are: {', '.join(cast('Mapping[str, Json]', properties))}."
    return f"{field}: {text}"
