"""Finds groups and names in the schema, for errors that name the right key."""

import difflib
from collections.abc import Iterator, Sequence
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel

from mewcode.config.schema.settings import Settings


def group_at(keys: Sequence[str | int]) -> type[BaseModel] | None:
    """The group that lives at `keys`; None where a plain value or anything else lives."""
    annotation: Any = Settings
    for key in keys:
        annotation = _step(annotation, key)
    return _model_in(annotation)


def nearest_name(word: str, names: Sequence[str], likeness: float = 0.6) -> str | None:
    """The one of `names` that was probably meant; `likeness` is difflib's ratio, 1 for the same letters."""
    folded = {name.replace("_", "").replace("-", "").lower(): name for name in names}
    key = word.replace("_", "").replace("-", "").lower()
    close = difflib.get_close_matches(key, folded, n=1, cutoff=likeness)
    return folded[close[0]] if close else None


def nearest_key(keys: Sequence[str | int]) -> str | None:
    """The key that was probably meant: a name of that group, else the same name in another one, dotted."""
    word = str(keys[-1])
    group = group_at(keys[:-1])
    names = list(group.model_fields) if group else []
    elsewhere = next((path for path in _all_keys(Settings) if path.rpartition(".")[2] == word), None)
    return nearest_name(word, names, 0.8) or elsewhere or nearest_name(word, names)


def _all_keys(group: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in group.model_fields.items():
        yield prefix + name
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _all_keys(inner, f"{prefix}{name}.")


def _step(annotation: Any, key: str | int) -> Any:
    model = _model_in(annotation)
    if model is not None and isinstance(key, str) and key in model.model_fields:
        return model.model_fields[key].annotation
    for option in _options(annotation):
        arguments = get_args(option)
        if get_origin(option) in (dict, list) and arguments:
            return arguments[-1]
    return None


def _model_in(annotation: Any) -> type[BaseModel] | None:
    models = (option for option in _options(annotation) if isinstance(option, type) and issubclass(option, BaseModel))
    return next(models, None)


def _options(annotation: Any) -> tuple[Any, ...]:
    if get_origin(annotation) in (Union, UnionType):
        return get_args(annotation)
    return (annotation,)
