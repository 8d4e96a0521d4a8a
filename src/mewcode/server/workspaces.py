"""The folders that are served, and who may work in which."""

from collections.abc import Callable, Mapping
from pathlib import Path

from mewcode.calls import Principal
from mewcode.config import LoadedSettings
from mewcode.governance.roles import UNBOUND_ROLE

Roots = Callable[[Principal], tuple[Path, ...]]


def roots_by_principal(workspaces: Mapping[str, Path], loaded: LoadedSettings) -> Roots:
    """A principal's roles name its workspaces; a role that names none gives all. The first one is where relative paths
    begin."""

    def roots(principal: Principal) -> tuple[Path, ...]:
        return tuple(workspaces[name] for name in names_for(principal, workspaces, loaded))

    return roots


def names_for(principal: Principal, workspaces: Mapping[str, Path], loaded: LoadedSettings) -> tuple[str, ...]:
    roles = [loaded.settings.roles[name] for name in principal.roles if name in loaded.settings.roles]
    if UNBOUND_ROLE in principal.roles or any(role.workspaces is None for role in roles):
        return tuple(workspaces)
    named = {name for role in roles for name in role.workspaces or ()}
    return tuple(name for name in workspaces if name in named)


def notes_for(principal: Principal, workspaces: Mapping[str, Path], loaded: LoadedSettings) -> str:
    """What the description of a tool says of the folders; nothing where there is one."""
    names = names_for(principal, workspaces, loaded)
    if len(workspaces) < 2:
        return ""
    if not names:
        return "No workspace is open to you."
    listed = "; ".join(f"{name}: {workspaces[name]}" for name in names)
    return f"Workspaces: {listed}. Relative paths are in {names[0]}; use absolute paths for the others."
