"""The fields of a server's form: what a JSON Schema property asks for, and whether what was typed fits it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from mewcode.agent.render import clean
from mewcode.messages import message

_FORMATS = {
    "email": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    "uri": re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:\S+"),
    "date": re.compile(r"\d{4}-\d{2}-\d{2}"),
    "date-time": re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})?"),
}
_YES, _NO = ("y", "yes", "true", "1", "是"), ("n", "no", "false", "0", "否")


@dataclass(frozen=True)
class Field:
    """One property of the form (MCP 2025-11-25, elicitation): a flat schema of primitives and enumerations.

    `choices` pairs a value with what is shown for it; `many` lets several be chosen.
    """

    name: str
    title: str
    kind: str
    about: str = ""
    required: bool = False
    default: Any = None
    choices: tuple[tuple[str, str], ...] = ()
    many: bool = False
    schema: Mapping[str, Any] | None = None

    def parse(self, text: str) -> tuple[Any, str | None]:
        """The value behind what was typed, and what is wrong with it (None: nothing). Empty text is no value."""
        text = text.strip()
        if not text:
            return (None, message("terminal.form_required") if self.required else None)
        if self.choices:
            return self._chosen(text)
        if self.kind == "boolean":
            return _boolean(text)
        if self.kind in ("integer", "number"):
            return self._number(text)
        return self._text(text)

    def shown_default(self) -> str:
        value = self.default
        if isinstance(value, bool):
            return "y" if value else "n"
        if isinstance(value, list):
            return ", ".join(str(one) for one in cast("list[Any]", value))
        return "" if value is None else clean(str(value))

    def _chosen(self, text: str) -> tuple[Any, str | None]:
        words = [word.strip() for word in text.split(",")] if self.many else [text]
        values = [self._choice(word) for word in words if word]
        if None in values:
            return None, message("terminal.form_choice", choices=", ".join(shown for _, shown in self.choices))
        return (values if self.many else values[0]), None

    def _choice(self, word: str) -> str | None:
        if word.isdigit() and 1 <= int(word) <= len(self.choices):
            return self.choices[int(word) - 1][0]
        return next((value for value, shown in self.choices if word in (value, shown)), None)

    def _number(self, text: str) -> tuple[Any, str | None]:
        schema = self.schema or {}
        try:
            value = int(text) if self.kind == "integer" else float(text)
        except ValueError:
            return None, message(f"terminal.form_{self.kind}")
        least, most = schema.get("minimum"), schema.get("maximum")
        if (least is not None and value < least) or (most is not None and value > most):
            return None, message("terminal.form_range", least=_or_any(least), most=_or_any(most))
        return value, None

    def _text(self, text: str) -> tuple[Any, str | None]:
        schema = self.schema or {}
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        if len(text) < least or (most is not None and len(text) > most):
            return None, message("terminal.form_length", least=least, most=_or_any(most))
        pattern = _FORMATS.get(str(schema.get("format")))
        if pattern is not None and not pattern.fullmatch(text):
            return None, message("terminal.form_format", format=schema["format"])
        return text, None


def fields_of(schema: Mapping[str, Any]) -> tuple[Field, ...]:
    """The fields in the server's order; a property that is no primitive is asked for as text."""
    properties = cast("Mapping[str, Mapping[str, Any]]", schema.get("properties") or {})
    required = set(cast("Sequence[str]", schema.get("required") or ()))
    return tuple(_field(name, one, name in required) for name, one in properties.items())


def _field(name: str, schema: Mapping[str, Any], required: bool) -> Field:
    kind = str(schema.get("type", "string"))
    many = kind == "array"
    return Field(
        name,
        clean(str(schema.get("title") or name)),
        kind,
        clean(str(schema.get("description") or "")),
        required,
        schema.get("default"),
        _choices(cast("Mapping[str, Any]", schema.get("items") or {}) if many else schema),
        many,
        schema,
    )


def _choices(schema: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    titled = cast("Sequence[Mapping[str, Any]]", schema.get("oneOf") or schema.get("anyOf") or ())
    if titled:
        return tuple((str(one.get("const")), clean(str(one.get("title") or one.get("const")))) for one in titled)
    values = cast("Sequence[Any]", schema.get("enum") or ())
    names = cast("Sequence[Any]", schema.get("enumNames") or values)
    return tuple((str(value), clean(str(name))) for value, name in zip(values, names, strict=False))


def _boolean(text: str) -> tuple[Any, str | None]:
    if text.lower() in _YES:
        return True, None
    if text.lower() in _NO:
        return False, None
    return None, message("terminal.form_boolean")


def _or_any(bound: object) -> object:
    return "…" if bound is None else bound
