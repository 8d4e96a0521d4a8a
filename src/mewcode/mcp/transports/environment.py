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
CERTIFICATES = ("NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE")
"""Where a company's own certificates are. They hold no secret, and without them `uvx` and `npx` fetch nothing behind a
proxy that reads along."""


def server_environment(own: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Exported shell functions (values that begin with "()") are left out, as the SDK does."""
    passed = (*SAFE_VARIABLES, *CERTIFICATES)
    safe = {name: environ[name] for name in passed if not environ.get(name, "()").startswith("()")}
    return {**safe, **own}
