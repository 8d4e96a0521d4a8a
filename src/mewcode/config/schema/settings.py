"""All settings in one tree, as config.yaml, .mewcode.yaml and policy.yaml write them."""

from typing import Literal

from pydantic import Field

from mewcode.config.schema.agent import AgentGroup, UiGroup
from mewcode.config.schema.base import Group
from mewcode.config.schema.limits import LimitsGroup
from mewcode.config.schema.models import ModelsGroup, ProviderEntry
from mewcode.config.schema.operation import AuditGroup, SessionsGroup, StateGroup, TelemetryGroup
from mewcode.config.schema.permissions import (
    CommandsGroup,
    ConfirmationsGroup,
    PrincipalEntry,
    RoleEntry,
    RuleEntry,
    TrustGroup,
)
from mewcode.config.schema.sandbox import SandboxSettings
from mewcode.config.schema.serve import ServeGroup
from mewcode.config.schema.servers import McpGroup, ServerEntry
from mewcode.config.schema.tools import ToolsGroup


class Settings(Group):
    """Every setting, with its default."""

    model: str | None = None
    """The language model as provider:model; found by itself when absent."""
    fallback_model: str | None = None
    """The model that takes over when the first one fails."""
    providers: dict[str, ProviderEntry] = Field(default_factory=dict[str, ProviderEntry])
    """Providers of your own, and other access to known ones."""
    models: ModelsGroup = Field(default_factory=ModelsGroup.model_construct)
    """How requests to language models are made."""
    mcp_servers: dict[str, ServerEntry] = Field(default_factory=dict[str, ServerEntry])
    """MCP servers by name."""
    mcp_allowed_commands: list[str] | None = None
    """Programs that servers may be started with, with wildcards; all when absent. Not for project files."""
    mcp: McpGroup = Field(default_factory=McpGroup.model_construct)
    """How the host treats every server."""
    permissions: list[RuleEntry] = Field(default_factory=list[RuleEntry])
    """Rules. Those of all files count together."""
    mode: Literal["plan", "default", "accept-edits", "auto"] = "default"
    """The mode a session begins in: plan only reads, auto never asks (ask means no)."""
    principals: dict[str, PrincipalEntry] = Field(default_factory=dict[str, PrincipalEntry])
    """People and programs by name."""
    roles: dict[str, RoleEntry] = Field(default_factory=dict[str, RoleEntry])
    """Roles by name."""
    server: ServeGroup = Field(default_factory=ServeGroup.model_construct)
    """The server, `mewcode serve`."""
    limits: LimitsGroup = Field(default_factory=LimitsGroup.model_construct)
    """How often, how many at once, how long."""
    audit: AuditGroup = Field(default_factory=AuditGroup.model_construct)
    """The record of every call."""
    state: StateGroup = Field(default_factory=StateGroup.model_construct)
    """What replicas share."""
    trust: TrustGroup = Field(default_factory=TrustGroup.model_construct)
    """What follows outside content."""
    confirmations: ConfirmationsGroup = Field(default_factory=ConfirmationsGroup.model_construct)
    """The second confirmation of high-risk calls."""
    sandbox: SandboxSettings = Field(default_factory=SandboxSettings.model_construct)
    """What commands and stdio servers are kept away from."""
    commands: CommandsGroup = Field(default_factory=CommandsGroup.model_construct)
    """The shipped rules for commands."""
    tools: ToolsGroup = Field(default_factory=ToolsGroup.model_construct)
    """The built-in tools."""
    agent: AgentGroup = Field(default_factory=AgentGroup.model_construct)
    """The agent's loop."""
    sessions: SessionsGroup = Field(default_factory=SessionsGroup.model_construct)
    """Conversations on disk."""
    telemetry: TelemetryGroup = Field(default_factory=TelemetryGroup.model_construct)
    """Traces, metrics and logs."""
    ui: UiGroup = Field(default_factory=UiGroup.model_construct)
    """The interactive terminal."""
