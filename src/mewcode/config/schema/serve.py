"""The server: who may come in, and what is offered."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from mewcode.config.quantities import Duration, Size
from mewcode.config.schema.base import Group


class TokenEntry(Group):
    """A static token. Only its hash is kept; `mewcode serve token add` makes one."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", repr=False)
    """SHA-256 of the token in hex."""
    principal: str | None = None
    """Who comes with it; the entry's own name when absent."""
    roles: list[str] = Field(default_factory=list[str])
    """Roles besides those under `principals`."""
    expires: str | None = None
    """When it ends, as an ISO 8601 date or time; never when absent."""


class JwtSettings(Group):
    """Signed tokens of your identity provider."""

    issuer: str | None = None
    """The `iss` that a token must carry."""
    audience: str | None = None
    """The `aud` that a token must carry: this server's public URL."""
    jwks_url: str | None = None
    """Where the keys are; found through the issuer when absent."""
    roles_from: str | None = None
    """The claim that names roles (dots reach into objects)."""
    roles: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    """Roles by value of that claim, or by scope; the value itself is the role when absent."""
    principal_from: str = "sub"
    """The claim that names the principal."""
    leeway: Duration = 30.0
    """Seconds that clocks may differ."""


class ServeTls(Group):
    """TLS of the server itself."""

    cert: Path | None = None
    """Certificate chain (PEM)."""
    key: Path | None = None
    """Key (PEM)."""


class ServeGroup(Group):
    """`mewcode serve`."""

    tokens: str | dict[str, TokenEntry] | None = None
    """Static tokens by name, or the file that holds them; tokens/serve.json under MEWCODE_HOME when absent."""
    jwt: JwtSettings | None = None
    """Signed tokens of your identity provider."""
    tls: ServeTls | None = None
    """TLS of the server itself."""
    prefix: str | None = None
    """Goes before every tool's own name, `{server}` in it standing for its server; names as in the host when absent."""
    discovery: Literal["all", "search"] = "all"
    """Offer every tool, or ToolSearch and the way to call what it finds."""
    role: str | None = None
    """The role of the caller over stdio."""
    upstreams: str | list[str] = Field(default_factory=list[str])
    """MCP servers whose tools are passed on: all, or names."""
    tools: list[str] = Field(default_factory=lambda: ["read_file", "search_code", "run_command"])
    """Built-in tools that are offered where no role says otherwise."""
    public_url: str | None = Field(default=None, pattern=r"^https?://")
    """The URL that clients use, for the OAuth metadata."""
    allowed_hosts: list[str] = Field(default_factory=list[str])
    """Host headers that are accepted besides the address listened on."""
    allowed_origins: list[str] = Field(default_factory=list[str])
    """Origin headers of browsers that are accepted."""
    max_body: Size = 4 * 1024**2
    """Bytes of the largest request."""
    max_connections: int = Field(default=1_000, gt=0)
    """Connections at once."""
    principal_connections: int = Field(default=64, gt=0)
    """Open connections to one MCP server with `credentials: principal`; beyond it the longest unused is closed."""
    principal_idle: Duration = 600.0
    """Seconds without a call after which a principal's connection to such a server is closed."""
    session_idle: Duration = 1_800.0
    """Seconds without a request after which a client's session ends, with all that was kept for it."""
    drain: Duration = 30.0
    """Seconds that calls in flight have to end after SIGTERM."""
    state_key: str | None = Field(default=None, repr=False)
    """The key that signs questions to clients; replicas share one. Made by itself when absent."""
    approvals_expire_after: Duration = 3600.0
    """Seconds after which a pending approval means no."""
