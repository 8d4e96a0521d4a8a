"""Who calls through a local door."""

import getpass

from mewcode.app.options import AppOptions
from mewcode.calls import Principal
from mewcode.governance import Roles


def principal_of(options: AppOptions, roles: Roles) -> Principal:
    """The principal that the door named, else the user of this machine."""
    return roles.principal(options.principal or local_user(options), options.door)


def local_user(options: AppOptions) -> str:
    named = options.environ.get("USER") or options.environ.get("LOGNAME") or options.environ.get("USERNAME")
    if named:
        return named
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container's user without a name
        return "local"
