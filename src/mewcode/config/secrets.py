"""Which values must never be shown: whatever came out of ${…}, and what is a secret by its name."""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from mewcode.config.loaded import LoadedSettings
from mewcode.config.node import Key, Node

MIN_LENGTH = 6
"""Shorter values are words like true or 8080: hiding them would only hide other text."""
_SECRET_NAME = re.compile(
    r"(?:^|[_\-.])(?:(?:api|access|auth|private|secret|signing|state)?[_\-]?key|token|secret|password|passwd|pass|pwd|credentials?|"
    r"authorization|cookie)s?(?:$|[_\-.])",
    re.IGNORECASE,
)
_PLAIN_VARIABLES = frozenset(
    [
        "HOME",
        "USER",
        "LOGNAME",
        "PWD",
        "OLDPWD",
        "PATH",
        "SHELL",
        "LANG",
        "LC_ALL",
        "TERM",
        "TMPDIR",
        "HOSTNAME",
        "VIRTUAL_ENV",
        "XDG_RUNTIME_DIR",
        "EDITOR",
    ]
)


def secrets_of(loaded: LoadedSettings) -> frozenset[str]:
    """Every value that must not be seen in output, logs, audit or a model's context."""
    return loaded.secrets


def is_secret_name(name: str) -> bool:
    """Whether a header, variable or key is a secret by its name: api_key, GITHUB_TOKEN, Authorization."""
    return bool(_SECRET_NAME.search(name))


def is_secret(keys: Sequence[Key]) -> bool:
    """Whether the value at `keys` is a secret even when it was written into the file itself."""
    names = [key for key in keys if isinstance(key, str)]
    if not names:
        return False
    return "headers" in names[:-1] or is_secret_name(names[-1]) or names[-1] == "sha256"


def literal_secrets(tree: Node) -> Iterable[str]:
    """Secrets that stand in a file as they are."""
    for keys, leaf in tree.leaves():
        if not isinstance(leaf.value, str):
            continue
        if is_secret(keys):
            yield from _with_parts(leaf.value)
        elif "://" in leaf.value and (password := _password_in(leaf.value)):
            yield password


def worth_hiding(values: Iterable[str], plain: Iterable[str] = ()) -> frozenset[str]:
    """The values that can be told from ordinary text; `plain` are values known to be no secret."""
    ordinary = set(plain)
    return frozenset(value for value in values if len(value) >= MIN_LENGTH and value not in ordinary)


def plain_variables() -> frozenset[str]:
    """Variables that hold no secret, whatever the settings use them for."""
    return _PLAIN_VARIABLES


def _with_parts(value: str) -> Iterable[str]:
    """ "Bearer abc" is a secret, and so is abc."""
    yield value
    scheme, _, rest = value.partition(" ")
    if rest and scheme.lower() in ("bearer", "basic", "token"):
        yield rest


def _password_in(url: str) -> str | None:
    try:
        return urlsplit(url).password
    except ValueError:
        return None
