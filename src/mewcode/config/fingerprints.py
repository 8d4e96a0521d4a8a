"""Hashes that trust is bound to: what a server or a set of rules is, as written, before anything is expanded."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from mewcode.config.node import Node
from mewcode.config.shapes import as_list, as_mapping

_NOT_IDENTITY = frozenset({"enabled", "timeout", "connect_timeout"})
"""Switching a server off or waiting longer does not make it another server."""


def server_fingerprint(entry: Node, workspace: Path) -> str:
    """SHA-256 in hex over the whole definition (command, args, environment, url, headers, folder, rights it asks for).

    References stay unexpanded, so a changed secret does not ask again and no secret is hashed; a changed reference
    does. The resolved folder is part of it: `./server.sh` in another project is another server.
    """
    plain = as_mapping(entry.plain())
    if plain is None:
        return _hash(["server", entry.plain()])
    definition = {key: value for key, value in plain.items() if key not in _NOT_IDENTITY}
    definition["env"] = definition.pop("environment", None) or definition.get("env") or {}
    definition["argv"] = [*_words(definition.pop("command", None)), *_words(definition.pop("args", None))]
    definition["cwd"] = os.path.abspath(workspace / str(definition.get("cwd") or "."))  # noqa: PTH100 - no symlinks
    return _hash(["server", definition])


def _words(value: object) -> list[Any]:
    """A command may be a word or a list of them; whatever else stands there is part of the identity, too."""
    words = as_list(value)
    return words if words is not None else [] if value is None else [value]


def rules_fingerprint(rules: list[Node], workspace: Path) -> str:
    """SHA-256 in hex over a project's allow rules together, in this project."""
    return _hash(["rules", os.path.abspath(workspace), [rule.plain() for rule in rules]])  # noqa: PTH100


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
