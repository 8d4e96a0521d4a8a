"""The settings as rows: each value with the place it came from, secrets hidden."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel

from mewcode.config.loaded import LoadedSettings
from mewcode.config.node import Key, Node, Scalar, dotted
from mewcode.config.place import DEFAULT, Place
from mewcode.config.schema.settings import Settings
from mewcode.config.secrets import is_secret

HIDDEN = "•••"


@dataclass(frozen=True)
class Row:
    """One setting. A value that came out of ${…} is shown as it was written; other secrets are hidden."""

    key: str
    value: Any
    place: Place
    problem: str | None = None


def rows_of(loaded: LoadedSettings) -> list[Row]:
    """Every setting that somebody made, in the order of the schema, then those that have their default."""
    made = [Row(dotted(keys), shown(keys, leaf, loaded.secrets), leaf.place) for keys, leaf in loaded.tree.leaves()]
    made = [row for row in made if row.key and row.value != {}]
    order = list(Settings.model_fields)
    made.sort(key=lambda row: order.index(row.key.split(".")[0].split("[")[0]))
    taken = {row.key for row in made}
    defaults = [Row(key, value, DEFAULT) for key, value in _defaults() if not _is_made(key, taken)]
    return [*made, *_unusable(loaded), *defaults]


def shown(
    keys: tuple[Key, ...], leaf: Node, secrets: frozenset[str] = frozenset()
) -> Scalar | list[Any] | dict[str, Any]:
    """A value as people may see it."""
    if leaf.template is not None:
        return leaf.template
    value: Any = leaf.plain()
    if not isinstance(value, str):
        return value
    if is_secret(keys):
        return HIDDEN
    text = _without_password(value)
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return text


def _without_password(text: str) -> str:
    try:
        parts = urlsplit(text)
        if "://" not in text or not parts.password:
            return text
        return urlunsplit(parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", f":{HIDDEN}@")))
    except ValueError:
        return text


def _unusable(loaded: LoadedSettings) -> Iterator[Row]:
    for group, entries in (("mcp_servers", loaded.settings.mcp_servers), ("providers", loaded.settings.providers)):
        for name, entry in entries.items():
            if entry.problem:
                yield Row(f"{group}.{name}", None, entry.place, entry.problem)


def _defaults(group: type[BaseModel] = Settings, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, field in group.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _defaults(inner, f"{prefix}{name}.")
        else:
            yield prefix + name, field.get_default(call_default_factory=True)


def _is_made(key: str, taken: set[str]) -> bool:
    return any(one == key or one.startswith((f"{key}.", f"{key}[")) for one in taken)
