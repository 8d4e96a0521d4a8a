"""Changes settings files in place, for `mcp add`, `model use` and approvals that are to last."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mewcode.config.atomic_write import write_atomically
from mewcode.config.place import ScopeName
from mewcode.config.source_file import UnreadableError, read_source
from mewcode.config.yaml_source import parse_yaml
from mewcode.config.yaml_text import NotEditableError, append, put, remove
from mewcode.errors import SettingsError

_PRIVATE = 0o600
"""For the user's file: it may come to hold keys."""
_SHARED = 0o644
"""For a project's file: it is there to be shared."""


def add_server(file: Path, name: str, entry: Mapping[str, Any], scope: ScopeName = "user") -> None:
    """Writes a server's whole entry, in place of one of that name.

    Every function here raises SettingsError when the file is broken or cannot be written.
    """
    _edit(file, scope, lambda text: put(text, ("mcp_servers", name), dict(entry)))


def remove_server(file: Path, name: str, scope: ScopeName = "user") -> bool:
    """Whether it was there."""
    return _edit(file, scope, lambda text: remove(text, ("mcp_servers", name)))


def set_server_enabled(file: Path, name: str, enabled: bool, scope: ScopeName = "user") -> bool:
    """Whether the file has that server."""
    if not _has(file, scope, ("mcp_servers", name)):
        return False
    _edit(file, scope, lambda text: put(text, ("mcp_servers", name, "enabled"), enabled))
    return True


def append_rule(file: Path, rule: str, effect: str, *, reason: str | None = None, scope: ScopeName = "user") -> None:
    """Adds a permission rule behind the others, unless the same one is there."""
    entry = {"rule": rule, "effect": effect} | ({"reason": reason} if reason else {})
    tree = _parsed(file, scope, _read(file, scope))
    rules = tree.get("permissions")
    if isinstance(rules, list) and entry in rules:
        return
    _edit(file, scope, lambda text: append(text, ("permissions",), entry))


def set_value(file: Path, keys: tuple[str, ...], value: Any, scope: ScopeName = "user") -> None:
    """Sets one setting, like ("model",)."""
    _edit(file, scope, lambda text: put(text, keys, value))


def remove_value(file: Path, keys: tuple[str, ...], scope: ScopeName = "user") -> bool:
    """Whether it was there."""
    return _edit(file, scope, lambda text: remove(text, keys))


def _edit(file: Path, scope: ScopeName, change: Callable[[str], str]) -> bool:
    """Reads, changes, checks that the result still is good YAML, and replaces the file in one step."""
    before = _read(file, scope)
    _parsed(file, scope, before)
    try:
        after = change(before)
        if after == before:
            return False
        _parsed(file, scope, after)
    except (NotEditableError, UnreadableError):
        raise SettingsError("config.not_editable", file=file) from None
    try:
        write_atomically(file, _as_it_was(file, after), mode=_PRIVATE if scope == "user" else _SHARED)
    except OSError as error:
        raise SettingsError("config.unwritable", file=file, reason=error.strerror or "") from None
    return True


def _read(file: Path, scope: ScopeName) -> str:
    source = read_source(file, scope)
    return source.text if source else ""


def _parsed(file: Path, scope: ScopeName, text: str) -> dict[str, Any]:
    from mewcode.config.source_file import SourceText

    try:
        plain: dict[str, Any] = parse_yaml(SourceText(text, file, scope)).plain()
    except UnreadableError as error:
        raise UnreadableError("config.broken_for_edit", error.place, reason=f"{error.place}: {error}") from None
    return plain


def _has(file: Path, scope: ScopeName, keys: tuple[str, ...]) -> bool:
    value: Any = _parsed(file, scope, _read(file, scope))
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]  # pyright: ignore[reportUnknownVariableType]
    return True


def _as_it_was(file: Path, text: str) -> str:
    """With the line ends and the byte order mark that the file had."""
    head = file.read_bytes() if file.exists() else b""
    mark = "\ufeff" if head.startswith(b"\xef\xbb\xbf") else ""
    return mark + (text.replace("\n", "\r\n") if b"\r\n" in head else text)
