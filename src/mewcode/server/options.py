"""What `mewcode serve` was asked for on its command line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Address:
    """Where HTTP is listened on; port 0 takes a free one."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        return self.host in ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class ServeOptions:
    """`workspaces` are folders by name, the first one the default. What is None here is left to the settings.

    `upstreams` are names of MCP servers, or `all`. `no_auth` lets everybody in who reaches a loopback address.
    """

    workspaces: Mapping[str, Path]
    http: Address | None = None
    upstreams: tuple[str, ...] | None = None
    discovery: str | None = None
    prefix: str | None = None
    role: str | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    no_auth: bool = False
    stateless: bool = False
    trust_project: bool = False
    mcp_config: Path | None = None
    environ: Mapping[str, str] | None = field(default=None, repr=False)
