"""Which keywords of a schema a language model is shown, and in which form.

Providers check a tool's schema against JSON Schema 2020-12 and refuse the whole request for one keyword that does not
fit. Servers send those of older drafts, of other languages (`"type": "int"`), and mistakes; what cannot be mended is
left out: the server's own schema still decides about a call's arguments.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

LEFT_OUT = object()
"""Instead of a value: the keyword does not make it into the copy."""

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_MEANT: Mapping[str, str] = {
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "decimal": "number",
    "bool": "boolean",
    "str": "string",
    "text": "string",
    "date": "string",
    "datetime": "string",
    "dict": "object",
    "map": "object",
    "list": "array",
    "none": "null",
}


def usable(key: str, value: Any) -> Any:
    """The value as 2020-12 has it, or LEFT_OUT. For keywords that hold no schemas."""
    check = _CHECKS.get(key)
    return LEFT_OUT if check is None else check(value)


def _type(value: Any) -> Any:
    if isinstance(value, str):
        name = value.lower()
        name = _MEANT.get(name, name)
        return name if name in _TYPES else LEFT_OUT
    if not isinstance(value, list):
        return LEFT_OUT
    names = [_type(name) for name in cast("list[Any]", value) if isinstance(name, str)]
    known = list(dict.fromkeys(name for name in names if name is not LEFT_OUT))
    return known if known and len(known) == len(cast("list[Any]", value)) else LEFT_OUT


def _text(value: Any) -> Any:
    return value if isinstance(value, str) else LEFT_OUT


def _expression(value: Any) -> Any:
    if not isinstance(value, str):
        return LEFT_OUT
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError):
        return LEFT_OUT
    return value


def _number(value: Any) -> Any:
    fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return value if fits else LEFT_OUT


def _positive(value: Any) -> Any:
    number = _number(value)
    return number if number is not LEFT_OUT and number > 0 else LEFT_OUT


def _count(value: Any) -> Any:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else LEFT_OUT


def _flag(value: Any) -> Any:
    return value if isinstance(value, bool) else LEFT_OUT


def _some(value: Any) -> Any:
    return cast("list[Any]", value) if isinstance(value, list) and value else LEFT_OUT


def _anything(value: Any) -> Any:
    return value


_CHECKS: Mapping[str, Callable[[Any], Any]] = {
    "type": _type,
    **dict.fromkeys(("title", "description", "format", "contentEncoding", "contentMediaType"), _text),
    "pattern": _expression,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _number),
    "multipleOf": _positive,
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _count),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly", "nullable"), _flag),
    **dict.fromkeys(("enum", "examples"), _some),
    **dict.fromkeys(("const", "default"), _anything),
    "required": _anything,
}
"""What is not here is left out: it would restrict the arguments in ways that models and providers make nothing of."""


def takes(name: str) -> bool:
    """Whether every provider takes this name of an argument; Anthropic's API refuses others."""
    return _NAME.fullmatch(name) is not None


_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
