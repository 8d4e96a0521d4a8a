"""Files that hold secrets: reading one asks by default, through whichever tool."""

import re
from collections.abc import Iterable
from pathlib import PurePath

from mewcode.governance.rules.rule import Rule
from mewcode.governance.rules.wildcard import Wildcard

_NAMES = tuple(
    Wildcard(text)
    for text in (
        ".env", ".env.*", "*.env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".htpasswd",
        ".git-credentials", ".vault-token", ".terraformrc", "credentials", "credentials.json", "credentials.y*ml",
        "application_default_credentials.json", "service-account*.json", "client_secret*.json", "secrets.y*ml",
        "secrets.json", "secrets.toml", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p12",
        "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.p8", "*.asc", "*.gpg", "kubeconfig", "*.tfstate",
        ".dockercfg", "master.key", "*.ovpn",
    )
)  # fmt: skip
_HARMLESS = tuple(
    Wildcard(text) for text in (".env.example", ".env.sample", ".env.template", ".env.dist", "*.env.example", "*.pub")
)
_FOLDERS = frozenset({".ssh", ".aws", ".azure", ".gnupg", ".kube", ".password-store"})
_ENDINGS = (
    (".docker", "config.json"),
    (".config", "gh", "hosts.yml"),
    (".config", "gcloud"),
    (".cargo", "credentials.toml"),
)


def _any(wildcards: Iterable[Wildcard]) -> "re.Pattern[str]":
    """One expression for all: a folder may hold many thousand names."""
    return re.compile("|".join(".*".join(map(re.escape, wildcard.parts)) for wildcard in wildcards), re.DOTALL)


_ANY_NAME, _ANY_HARMLESS = _any(_NAMES), _any(_HARMLESS)
_IN_FOLDER = re.compile("|".join(re.escape(name) for name in (*_FOLDERS, *(ending[0] for ending in _ENDINGS))))

SENSITIVE_PATTERNS = (
    *(f"!{wildcard.text}" for wildcard in _NAMES),
    *(f"!{folder}/**" for folder in sorted(_FOLDERS)),
)
"""The same as gitignore patterns that take these files out of a read scope: for tools that look into many files."""


HARMLESS_PATTERNS = tuple(wildcard.text for wildcard in _HARMLESS)


def is_sensitive(path: str) -> bool:
    """Whether a file of this (absolute) path usually holds a secret."""
    folded = path.casefold()
    name = folded.rpartition("/")[2] if "\\" not in folded else PurePath(folded).name
    if not name or _ANY_HARMLESS.fullmatch(name):
        return False
    if _ANY_NAME.fullmatch(name):
        return True
    if not _IN_FOLDER.search(folded):
        return False
    parts = PurePath(folded).parts
    return not _FOLDERS.isdisjoint(parts[:-1]) or any(_holds(parts, ending) for ending in _ENDINGS)


def names_it(rule: Rule, path: str) -> bool:
    """Whether an allow rule means this very kind of file, and does not just cover it with a star: `read_file(**)`
    opens no key, `read_file(config/.env.test)` opens that one."""
    name = PurePath(path).name
    segments = [segment for text in _texts(rule) for word in text.split() for segment in word.rsplit("/", 1)[-1:]]
    return any(segment.strip("*") and Wildcard(segment).matches(name) for segment in segments)


def _texts(rule: Rule) -> list[str]:
    from mewcode.governance.rules.arguments import Pairs

    if isinstance(rule.arguments, Pairs):
        return [rule.arguments.text, *(pattern.text for _, pattern in rule.arguments.entries)]
    return [rule.arguments.text]


def _holds(parts: tuple[str, ...], ending: tuple[str, ...]) -> bool:
    size = len(ending)
    return any(parts[at : at + size] == ending for at in range(len(parts) - size + 1))
