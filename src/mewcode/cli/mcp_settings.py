"""What the commands about MCP servers share: settings, files, and who may change them."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mewcode.errors import RefusedError, UsageError

if TYPE_CHECKING:
    from mewcode.config import LoadedSettings, Paths
    from mewcode.mcp import ServerDefinition

Scope = Literal["user", "project"]
SESSION_VARIABLE = "MEWCODE_SESSION"
"""Set for commands that run inside a session: nobody in there decides what may be started."""


def load() -> "tuple[LoadedSettings, Paths]":
    """The settings of this workspace, with what the user has trusted."""
    from mewcode.config import Paths, TrustStore, load_settings

    paths = Paths.from_environment()
    store = TrustStore(paths.trust)
    return load_settings(paths=paths, workspace=Path.cwd(), is_trusted=store.is_trusted), paths


def file_of(scope: Scope, paths: "Paths") -> Path:
    from mewcode.config.paths import project_file

    return paths.config if scope == "user" else project_file(Path.cwd())


def refuse_in_session(command: str) -> None:
    """Raises RefusedError inside a session: what starts programs is for the person outside to decide."""
    if os.environ.get(SESSION_VARIABLE):
        raise RefusedError("mcp.not_in_session", command=command)


def definition_named(name: str, loaded: "LoadedSettings") -> "ServerDefinition":
    """Raises UsageError with the nearest name when there is no such server."""
    from mewcode.mcp.launch import definitions_of

    known = {definition.name: definition for definition in definitions_of(loaded)}
    if name in known:
        return known[name]
    raise UsageError("mcp.unknown_server", server=name, known=", ".join(known) or "-")


def check_entry(name: str, entry: Mapping[str, Any]) -> None:
    """Raises UsageError for a name or an entry that the settings would not take."""
    import re

    from pydantic import ValidationError

    from mewcode.config import ServerEntry

    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", name):
        raise UsageError("mcp.bad_name", name=name)
    try:
        ServerEntry.model_validate(dict(entry))
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "-"
        raise UsageError("mcp.bad_entry", name=name, key=where, why=first["msg"]) from None


def trust_own(name: str, loaded: "LoadedSettings", paths: "Paths") -> None:
    """Trusts a server of the project that the user has just written there by this program."""
    from mewcode.config import TrustStore

    for proposal in loaded.untrusted:
        if proposal.kind == "server" and proposal.name == name:
            store = TrustStore(paths.trust)
            store.grant("server", proposal.fingerprint, name=name, workspace=loaded.workspace)
