"""Rules, roles and principals: who may do what."""

from typing import Literal

from pydantic import Field

from mewcode.config.quantities import Duration
from mewcode.config.schema.base import Entry, Group
from mewcode.config.schema.limits import RateLimits


class RuleEntry(Entry):
    """One rule, like `run_command(git push *)`. Deny wins, then ask, then allow."""

    rule: str = Field(min_length=1)
    """A tool's name (with wildcards) and, in parentheses, a pattern on its main argument or key=pattern pairs."""
    effect: Literal["allow", "ask", "deny"]
    """What happens to a call that the rule matches."""
    reason: str | None = None
    """Told to whoever the rule stops."""
    match: list[str] = Field(default_factory=list[str])
    """Examples that the rule must match, checked when the file is loaded."""
    not_match: list[str] = Field(default_factory=list[str])
    """Examples that the rule must not match, checked when the file is loaded."""


class RoleEntry(Entry):
    """What a principal with this role may do. What it may not call it does not see either."""

    tools: list[str] = Field(default_factory=list[str])
    """Tools, with wildcards. None when empty."""
    read: list[str] = Field(default_factory=list[str])
    """Paths it may read, as gitignore patterns under the workspace."""
    write: list[str] = Field(default_factory=list[str])
    """Paths it may write, as gitignore patterns under the workspace."""
    commands: Literal["none", "whitelist", "blacklist"] | list[str] | None = None
    """The set of rules for commands, or the commands it may run; `commands.preset` when absent."""
    limits: RateLimits = Field(default_factory=RateLimits.model_construct)
    """Limits of each principal with this role, besides the general ones."""
    workspaces: list[str] | None = None
    """Names of the workspaces (`serve --workspace NAME=DIR`) it may use; all when absent."""
    approve: bool = False
    """Whether it may answer what others' calls ask (`mewcode approvals`)."""


class PrincipalServer(Group):
    """What a principal gives to one MCP server with `credentials: principal`, besides what the server's entry says."""

    headers: dict[str, str] = Field(default_factory=dict[str, str], repr=False)
    """HTTP headers of its requests, for a server with a `url`."""
    env: dict[str, str] = Field(default_factory=dict[str, str], repr=False)
    """Environment of its process, for a server with a `command`."""


class PrincipalEntry(Entry):
    """A person or a program, by the name that its token carries."""

    roles: list[str] = Field(default_factory=list[str])
    """Names under `roles`."""
    read: list[str] | None = None
    """Paths it may read, within what its roles may."""
    write: list[str] | None = None
    """Paths it may write, within what its roles may."""
    servers: dict[str, PrincipalServer] = Field(default_factory=dict[str, PrincipalServer])
    """Its credentials for MCP servers with `credentials: principal`, by the server's name."""


class CommandsGroup(Group):
    """The shipped rules for `run_command`."""

    preset: Literal["blacklist", "whitelist"] = "blacklist"
    """blacklist asks before what destroys and runs the rest by the rules; whitelist refuses all but tests, builds,
    queries and reading."""


class TrustGroup(Group):
    """What follows when content from outside has entered a conversation."""

    escalate: bool = True
    """Ask again before risky calls after outside content, even where a rule allows them."""


class ConfirmationsGroup(Group):
    """The second confirmation of high-risk calls, and how long a question stands."""

    also: list[str] = Field(default_factory=list[str])
    """Rules (without effect) for calls to confirm besides the built-in list."""
    protected_paths: list[str] = Field(default_factory=list[str])
    """Paths whose change is confirmed, as gitignore patterns, besides the built-in list."""
    expire_after: Duration = 600.0
    """Seconds after which a question nobody answered means no."""
