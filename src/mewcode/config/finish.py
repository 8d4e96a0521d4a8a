"""Gives validated settings what no file says: names, places, fingerprints, folders."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mewcode.config.fingerprints import server_fingerprint
from mewcode.config.node import Node
from mewcode.config.place import Problem
from mewcode.config.schema.models import ProviderEntry
from mewcode.config.schema.servers import ServerEntry
from mewcode.config.schema.settings import Settings


def finish(settings: Settings, tree: Node, raw: Node, workspace: Path) -> Settings:
    """`raw` is the merged tree before expansion: fingerprints are taken of what was written."""
    for name, entry in list(settings.mcp_servers.items()):
        node = tree.find(("mcp_servers", name)) or tree
        written = raw.find(("mcp_servers", name)) or node
        settings.mcp_servers[name] = _placed(entry, name, node, written, workspace)
    for group, entries in (
        ("providers", settings.providers),
        ("roles", settings.roles),
        ("principals", settings.principals),
    ):
        for name, entry in entries.items():
            node = tree.find((group, name)) or tree
            entry.mark(node.key_place or node.place)
    for index, rule in enumerate(settings.permissions):
        rule.mark((tree.find(("permissions", index)) or tree).place)
    return settings


def finish_disabled(
    settings: Settings, disabled: "Mapping[tuple[str, str], tuple[Node, Problem]]", raw: Node, workspace: Path
) -> None:
    """Puts an entry in its place that says why it cannot be used, so that it does not silently vanish."""
    for (group, name), (written, problem) in disabled.items():
        place = written.key_place or written.place
        if group == "mcp_servers":
            server = ServerEntry.model_construct(**_kept(written, ("command", "url")))
            server.mark(place, str(problem))
            server.name_as(name, server_fingerprint(written, workspace))
            settings.mcp_servers[name] = server
        elif group == "providers":
            provider = ProviderEntry.model_construct(**_kept(written, ("base_url",)))
            provider.mark(place, problem.message)
            settings.providers[name] = provider
    _as_written(settings.mcp_servers, raw, "mcp_servers")
    _as_written(settings.providers, raw, "providers")


def _as_written(entries: "dict[str, Any]", raw: Node, group: str) -> None:
    """Back into the order of the files."""
    node = raw.child(group)
    order = {name: index for index, name in enumerate(node.entries if node else ())}
    for name in sorted(entries, key=lambda name: order.get(name, len(order))):
        entries[name] = entries.pop(name)


def _placed(entry: ServerEntry, name: str, node: Node, written: Node, workspace: Path) -> ServerEntry:
    folder = workspace / (entry.cwd.expanduser() if entry.cwd else ".")
    placed = entry.model_copy(update={"cwd": folder})
    placed.mark(node.key_place or node.place)
    placed.name_as(name, server_fingerprint(written, workspace))
    return placed


def _kept(written: Node, keys: tuple[str, ...]) -> dict[str, Any]:
    """The texts that describe an entry, as written."""
    found = {key: written.child(key) for key in keys}
    return {key: node.value for key, node in found.items() if node and isinstance(node.value, str)}
