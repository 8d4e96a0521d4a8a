"""Settings: their schema, the layers they come from, and where each value was written. Imports nothing of MewCode
but errors and messages."""

from mewcode.config.load import load_settings
from mewcode.config.loaded import LoadedSettings
from mewcode.config.paths import Paths
from mewcode.config.place import Place, Problem
from mewcode.config.proposals import Untrusted
from mewcode.config.schema.models import ProviderEntry
from mewcode.config.schema.permissions import PrincipalEntry, RoleEntry, RuleEntry
from mewcode.config.schema.servers import ServerEntry
from mewcode.config.schema.settings import Settings
from mewcode.config.secrets import secrets_of
from mewcode.config.trust_store import Grant, TrustStore

__all__ = [
    "Grant",
    "LoadedSettings",
    "Paths",
    "Place",
    "PrincipalEntry",
    "Problem",
    "ProviderEntry",
    "RoleEntry",
    "RuleEntry",
    "ServerEntry",
    "Settings",
    "TrustStore",
    "Untrusted",
    "load_settings",
    "secrets_of",
]
