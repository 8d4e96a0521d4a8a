"""What a project proposes and the user has to agree to: servers and allow rules, shown with all they would touch."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from mewcode.config.expand_tree import wanted_by
from mewcode.config.fingerprints import rules_fingerprint, server_fingerprint
from mewcode.config.node import Node
from mewcode.config.place import Place
from mewcode.config.project import is_allow

IsTrusted: TypeAlias = Callable[[str, str], bool]
"""(kind, fingerprint) -> whether the user agreed; kind is "server" or "rules"."""


@dataclass(frozen=True)
class Untrusted:
    """Something of the project that waits for consent. Texts are as written: nothing is expanded yet.

    `variables` and `files` are what it would read from the user's environment and disk.
    """

    kind: Literal["server", "rules"]
    name: str
    fingerprint: str
    place: Place
    command: tuple[str, ...] = ()
    url: str | None = None
    env: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    cwd: str | None = None
    rules: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def sort_servers(tree: Node, workspace: Path, is_trusted: IsTrusted) -> tuple[Node, list[Untrusted]]:
    """The tree with its trusted servers only, and what waits."""
    servers = tree.child("mcp_servers")
    if servers is None or not isinstance(servers.value, dict):
        return tree, []
    prints = {name: server_fingerprint(entry, workspace) for name, entry in servers.entries.items()}
    waiting = [name for name in servers.entries if not is_trusted("server", prints[name])]
    kept = {name: entry for name, entry in servers.entries.items() if name not in waiting}
    untrusted = [_server(name, servers.entries[name], prints[name]) for name in waiting]
    return _with(tree, "mcp_servers", replace(servers, value=kept)), untrusted


def sort_rules(tree: Node, workspace: Path, is_trusted: IsTrusted) -> tuple[Node, list[Untrusted]]:
    """The tree without its allow rules unless they are trusted, and what waits."""
    rules = tree.child("permissions")
    allows = [rule for rule in (rules.items if rules else ()) if is_allow(rule)]
    if rules is None or not allows:
        return tree, []
    fingerprint = rules_fingerprint(allows, workspace)
    if is_trusted("rules", fingerprint):
        return tree, []
    kept = tuple(rule for rule in rules.items if not is_allow(rule))
    wanted = [wanted_by(rule) for rule in allows]
    untrusted = Untrusted(
        "rules",
        "permissions",
        fingerprint,
        rules.place,
        rules=tuple(text for rule in allows if (text := _text(rule.child("rule")))),
        variables=tuple(dict.fromkeys(name for one in wanted for name in one.variables)),
        files=tuple(dict.fromkeys(name for one in wanted for name in one.files)),
    )
    return _with(tree, "permissions", replace(rules, value=kept)), [untrusted]


def _server(name: str, entry: Node, fingerprint: str) -> Untrusted:
    wanted = wanted_by(entry)
    return Untrusted(
        "server",
        name,
        fingerprint,
        entry.key_place or entry.place,
        command=(*_texts(entry.child("command")), *_texts(entry.child("args"))),
        url=_text(entry.child("url")),
        env=tuple(_keys(entry.child("env") or entry.child("environment"))),
        headers=tuple(_keys(entry.child("headers"))),
        cwd=_text(entry.child("cwd")),
        variables=wanted.variables,
        files=wanted.files,
    )


def _with(tree: Node, key: str, value: Node) -> Node:
    return replace(tree, value={**tree.entries, key: value})


def _text(node: Node | None) -> str | None:
    return None if node is None or node.value is None or node.entries or node.is_list else str(node.value)


def _texts(node: Node | None) -> tuple[str, ...]:
    if node is not None and node.is_list:
        return tuple(str(item.value) for item in node.items)
    text = _text(node)
    return (text,) if text else ()


def _keys(node: Node | None) -> Mapping[str, Node]:
    return node.entries if node else {}
