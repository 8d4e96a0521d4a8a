"""The environment of a server's process: what its entry names, over a few variables that are safe to pass on."""

import os
import sys
from collections.abc import Mapping

SAFE_VARIABLES = (
    (
        "APPDATA",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "USERNAME",
        "USERPROFILE",
    )
    if sys.platform == "win32"
    else ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
)
"""The same as the SDK's `get_default_environment`, without importing it."""


def server_environment(own: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Exported shell functions (values that begin with "()") are left out, as the SDK does."""
    safe = {name: environ[name] for name in SAFE_VARIABLES if not environ.get(name, "()").startswith("()")}
    return {**safe, **own}
