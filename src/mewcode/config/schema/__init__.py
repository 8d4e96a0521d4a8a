"""The schema of the settings: one file for each group, pydantic models that know no unknown keys."""

from mewcode.config.schema.agent import AgentGroup, UiGroup
from mewcode.config.schema.base import Entry, Group
from mewcode.config.schema.limits import BreakerSettings, LimitsGroup, RateLimits
from mewcode.config.schema.models import ModelsGroup, Prices, ProviderEntry
from mewcode.config.schema.operation import AuditGroup, SessionsGroup, StateGroup, TelemetryGroup
from mewcode.config.schema.permissions import (
    CommandsGroup,
    ConfirmationsGroup,
    PrincipalEntry,
    PrincipalServer,
    RoleEntry,
    RuleEntry,
    TrustGroup,
)
from mewcode.config.schema.sandbox import SandboxSettings
from mewcode.config.schema.serve import JwtSettings, ServeGroup, ServeTls, TokenEntry
from mewcode.config.schema.servers import McpGroup, ServerEntry, ServerOAuth, ServerTls, ToolChoice
from mewcode.config.schema.settings import Settings
from mewcode.config.schema.tools import ToolsGroup

__all__ = [
    "AgentGroup",
    "AuditGroup",
    "BreakerSettings",
    "CommandsGroup",
    "ConfirmationsGroup",
    "Entry",
    "Group",
    "JwtSettings",
    "LimitsGroup",
    "McpGroup",
    "ModelsGroup",
    "Prices",
    "PrincipalEntry",
    "PrincipalServer",
    "ProviderEntry",
    "RateLimits",
    "RoleEntry",
    "RuleEntry",
    "SandboxSettings",
    "ServeGroup",
    "ServeTls",
    "ServerEntry",
    "ServerOAuth",
    "ServerTls",
    "SessionsGroup",
    "Settings",
    "StateGroup",
    "TelemetryGroup",
    "TokenEntry",
    "ToolChoice",
    "ToolsGroup",
    "TrustGroup",
    "UiGroup",
]
