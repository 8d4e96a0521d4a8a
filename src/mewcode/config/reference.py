"""The settings' JSON Schema for editors, and their reference for people: both made from the schema's own words."""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from mewcode.config.schema.settings import Settings

SCHEMA_URL = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """Draft 2020-12, with each setting's description."""
    schema = Settings.model_json_schema(mode="validation")
    groups = {group.__name__: group for group in _groups(Settings)}
    for name, part in [("Settings", schema), *schema.get("$defs", {}).items()]:
        described = descriptions(groups[name]) if name in groups else {}
        for key, value in part.get("properties", {}).items():
            if key in described:
                value.setdefault("description", described[key])
    _allow_words(schema)
    return {"$schema": SCHEMA_URL, "title": "MewCode settings", **{k: v for k, v in schema.items() if k != "title"}}


def _allow_words(schema: dict[str, Any]) -> None:
    """What the validators read besides the plain form: a word for the sandbox, a list for a command, null for none."""
    parts = schema["$defs"]
    sandbox = parts["SandboxSettings"]
    words: dict[str, Any] = {"enum": ["off", "workspace", "strict", False]}
    parts["SandboxSettings"] = {"anyOf": [words, sandbox], "description": sandbox.pop("description", "")}
    properties = parts["ServerEntry"]["properties"]
    command = properties["command"]
    command["anyOf"] = [*command["anyOf"], {"type": "array", "items": {"type": "string"}, "minItems": 1}]
    for key in ("env", "headers"):
        properties[key]["additionalProperties"] = {"type": ["string", "number", "boolean"]}
    properties["environment"] = {**properties["env"], "description": "Another name for env."}


@cache
def descriptions(group: type[BaseModel]) -> dict[str, str]:
    """The text below each field in the source. Read only when somebody asks: at start it would cost 0.2 s."""
    body = ast.parse(inspect.getsource(group)).body[0]
    found: dict[str, str] = {}
    name: str | None = None
    for statement in body.body if isinstance(body, ast.ClassDef) else ():
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and name:
            found[name] = " ".join(inspect.cleandoc(str(statement.value.value)).split())
            name = None
    return found


def markdown() -> str:
    """Tables of all settings, a section for each group."""
    lines: list[str] = []
    for path, group in sections():
        lines += [f"### `{path}`" if path else "### Top level", ""]
        lines += [" ".join(inspect.cleandoc(group.__doc__ or "").split()), ""]
        lines += ["| setting | kind | default | meaning |", "|---|---|---|---|"]
        described = descriptions(group)
        for name, field in group.model_fields.items():
            cells = (f"`{name}`", _kind(field), _default(field), described.get(name, ""))
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def sections(group: type[BaseModel] = Settings, path: str = "") -> Iterator[tuple[str, type[BaseModel]]]:
    yield path, group
    for name, field in group.model_fields.items():
        inner, suffix = _model_of(field.annotation)
        if inner is not None:
            yield from sections(inner, f"{path}.{name}{suffix}".lstrip("."))


def _groups(group: type[BaseModel]) -> Iterator[type[BaseModel]]:
    return (one for _, one in sections(group))


def _model_of(annotation: Any) -> tuple[type[BaseModel] | None, str]:
    """The group in an annotation, and how its entries are reached: .NAME in a mapping, [] in a list."""
    for option in _options(annotation):
        if isinstance(option, type) and issubclass(option, BaseModel):
            return option, ""
        if get_origin(option) in (dict, list):
            inner, _ = _model_of(get_args(option)[-1])
            if inner is not None:
                return inner, ".NAME" if get_origin(option) is dict else "[]"
    return None, ""


def _options(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _kind(field: FieldInfo) -> str:
    metadata = [getattr(one, "func", None) for one in field.metadata]
    names = {getattr(one, "__name__", "") for one in metadata}
    if "parse_duration" in names:
        return "duration"
    if "parse_size" in names:
        return "size"
    return " or ".join(
        dict.fromkeys(_kind_of(option) for option in _options(field.annotation) if option is not NoneType)
    )


_PLAIN = {str: "text", int: "number", float: "number", bool: "true, false"}


def _kind_of(annotation: Any) -> str:
    origin = get_origin(annotation)
    if origin is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(annotation))
    if origin is list:
        return "list" if get_args(annotation)[0] is str else "list of entries"
    if origin is dict:
        return "mapping"
    if _model_of(annotation)[0]:
        return "group"
    metadata = {getattr(getattr(one, "func", None), "__name__", "") for one in getattr(annotation, "__metadata__", ())}
    if metadata:
        return "duration" if "parse_duration" in metadata else "size"
    return _PLAIN.get(annotation, "path")


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if value is None or value == [] or value == {} or isinstance(value, BaseModel):
        return ""
    if _kind(field) == "duration":
        return f"`{_as_duration(float(value))}`"
    if _kind(field) == "size":
        return f"`{_as_size(int(value))}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _as_duration(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        if seconds >= size and seconds % size == 0:
            return f"{int(seconds // size)}{unit}"
    return f"{round(seconds * 1000)}ms"


def _as_size(size: int) -> str:
    for unit, factor in (("GiB", 1024**3), ("MiB", 1024**2), ("KiB", 1024)):
        if size >= factor and size % factor == 0:
            return f"{size // factor}{unit}"
    return str(size)
