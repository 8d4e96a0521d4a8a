"""Server entries as other programs write them (`mcpServers`), turned into ours."""

from dataclasses import dataclass, replace

from mewcode.config.node import Node
from mewcode.config.place import Problem
from mewcode.config.schema.servers import ServerEntry
from mewcode.messages import message

_RENAMED = {"environment": "env", "httpUrl": "url", "serverUrl": "url", "http_headers": "headers"}
_TRANSPORTS = {"http": "http", "streamable-http": "http", "streamableHttp": "http", "sse": "sse", "stdio": "stdio"}
_MILLISECONDS = ("timeout", "connect_timeout")


@dataclass(frozen=True)
class Converted:
    """An entry in our words, and the keys of the other program that mean nothing here."""

    entry: Node
    foreign: tuple[Node, ...] = ()
    foreign_keys: tuple[str, ...] = ()


def convert_servers(tree: Node) -> tuple[dict[str, Node], list[Problem]]:
    """The entries under `mcpServers`, by name, and a warning for each foreign key in them."""
    entries: dict[str, Node] = {}
    warnings: list[Problem] = []
    servers = tree.child("mcpServers") or Node({})
    for name, node in servers.entries.items():
        converted = convert_server(node)
        entries[name] = converted.entry
        for key, value in zip(converted.foreign_keys, converted.foreign, strict=True):
            dotted = f"mcpServers.{name}.{key}"
            place = value.key_place or value.place
            warnings.append(Problem("warning", message("config.foreign_key", key=dotted), place, dotted, local=True))
    return entries, warnings


def convert_server(node: Node) -> Converted:
    """One entry: `disabled`, `environment`, command as a list, milliseconds, and transports by their other names."""
    if not isinstance(node.value, dict):
        return Converted(node)
    entries: dict[str, Node] = {}
    foreign: dict[str, Node] = {}
    for key, value in node.entries.items():
        ours = _RENAMED.get(key, key)
        if key == "disabled" and isinstance(value.value, bool):
            entries["enabled"] = replace(value, value=not value.value)
        elif key == "type" or key == "transport":
            _take_transport(entries, foreign, key, value)
        elif ours in ServerEntry.model_fields and ours not in ("tools", "sandbox", "oauth"):
            entries[ours] = _in_seconds(value) if ours in _MILLISECONDS else value
        else:
            foreign[key] = value
    return Converted(replace(node, value=entries), tuple(foreign.values()), tuple(foreign))


def _take_transport(entries: dict[str, Node], foreign: dict[str, Node], key: str, value: Node) -> None:
    """A word that we do not know (local, remote) changes nothing: `command` or `url` says it all."""
    known = _TRANSPORTS.get(value.value) if isinstance(value.value, str) else None
    if known is None:
        foreign[key] = value
    else:
        entries["type"] = replace(value, value=known)


def _in_seconds(node: Node) -> Node:
    """Plain numbers are milliseconds in these files; text has its unit."""
    if isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return replace(node, value=node.value / 1000)
    return node
