"""Where the static tokens of a server are."""

from pathlib import Path

from mewcode.config import Paths
from mewcode.config.schema.serve import ServeGroup
from mewcode.server.identity.static_tokens import FixedEntries, FollowedFile, TokenSource
from mewcode.server.identity.token_file import TokenFile

TOKENS_FILE = "serve.json"


def token_source(settings: ServeGroup, paths: Paths) -> TokenSource:
    """The entries of the settings, or those of the file."""
    if isinstance(settings.tokens, dict):
        return FixedEntries(settings.tokens)
    return FollowedFile(token_file(settings, paths))


def token_file(settings: ServeGroup, paths: Paths) -> TokenFile:
    """The file that the settings name, else the one under MEWCODE_HOME."""
    named = settings.tokens if isinstance(settings.tokens, str) else None
    return TokenFile(Path(named).expanduser() if named else Path(paths.tokens) / TOKENS_FILE)
