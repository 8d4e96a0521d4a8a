"""What a connection needs to know about one configured server."""

import hashlib
import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from mewcode.config import ServerEntry, Untrusted
    from mewcode.config.schema.sandbox import SandboxSettings
    from mewcode.config.schema.servers import McpGroup

TransportKind = Literal["stdio", "http", "sse"]
Era = Literal["legacy", "modern"]
EraChoice = Literal["auto", "legacy", "modern"]

CONNECT_TIMEOUT = 30.0
"""Seconds for the handshake and the first listing, unless the entry says otherwise."""
CALL_TIMEOUT = 300.0
"""Seconds a call may stay silent, unless the entry says otherwise: tools that build or test take minutes."""
PROBE_TIMEOUT = 2.0
"""Seconds that a server gets to answer `server/discover`, or a third of a shorter `connect_timeout`."""
LONGEST_CALL = 1800.0
"""Seconds a call may take however much progress it reports, at least; a longer `timeout` raises it."""


@dataclass(frozen=True)
class ToolChoice:
    """Which of a server's tools are offered: patterns over the server's own names; deny wins."""

    allow: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()
    always_load: tuple[str, ...] = ()


@dataclass(frozen=True)
class TlsFiles:
    """PEM files: a certificate authority to trust, and a client certificate with its key."""

    ca: str | None = None
    cert: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class OAuthChoice:
    """How to log in, where the server's own metadata does not say enough."""

    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    scopes: tuple[str, ...] = ()
    redirect_port: int | None = None
    grant: Literal["authorization_code", "client_credentials"] = "authorization_code"
    client_metadata_url: str | None = None


@dataclass(frozen=True)
class ServerDefinition:
    """One server, expanded and checked. Times are in seconds.

    `problem` says why it cannot be started at all (an unset variable); `fingerprint` identifies what was trusted.
    `principal` is whose connection it is, where each principal has its own.
    """

    name: str
    command: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    sse: bool = False
    timeout: float = CALL_TIMEOUT
    longest_call: float = LONGEST_CALL
    connect_timeout: float = CONNECT_TIMEOUT
    probe_timeout: float = PROBE_TIMEOUT
    enabled: bool = True
    tools: ToolChoice = ToolChoice()
    tls: TlsFiles = TlsFiles()
    oauth: OAuthChoice | None = None
    era: EraChoice = "auto"
    credentials: Literal["service", "principal"] = "service"
    principal: str | None = None
    sampling: bool = False
    sandbox: "SandboxSettings | None" = None
    roots: tuple[str, ...] | None = None
    scope: str = "user"
    place: str = ""
    problem: str | None = None
    fingerprint: str = ""
    trusted: bool = True

    @property
    def transport(self) -> TransportKind:
        if self.command:
            return "stdio"
        return "sse" if self.sse else "http"

    @property
    def target(self) -> str:
        """What is started or called, for people, without secrets: environment and headers are left out."""
        return " ".join(self.command) if self.command else self.url

    @property
    def key(self) -> str:
        """Names the definition in caches and grants."""
        key = self.fingerprint or fingerprint_of(self.command, self.env, self.url)
        if self.principal is None:
            return key
        return hashlib.sha256(f"{key}\0{self.principal}".encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def login_command(self) -> str:
        """What a person runs to log in to it."""
        words = ["mewcode", "mcp", "login", self.name]
        return shlex.join(words if self.principal is None else [*words, "--as", self.principal])

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values that must not show up in logs or messages."""
        values = [*self.env.values(), *self.headers.values()]
        values += [value.partition(" ")[2] for value in self.headers.values() if " " in value]
        return tuple(sorted({value for value in values if len(value) >= 8}, key=len, reverse=True))

    def hide(self, text: str) -> str:
        """A text without this server's secrets."""
        for secret in self.secrets:
            text = text.replace(secret, "***")
        return text

    def always_loads(self, tool: str) -> bool:
        """Whether a tool's schema is in front of the model from the start."""
        return any(fnmatchcase(tool, pattern) for pattern in self.tools.always_load)

    def directory(self, workspace: Path) -> Path:
        """Where the server runs: its own `cwd`, taken from the workspace, else the workspace."""
        return (workspace / Path(self.cwd).expanduser()).resolve() if self.cwd else workspace

    @classmethod
    def of(cls, entry: "ServerEntry", group: "McpGroup | None" = None) -> "ServerDefinition":
        """Takes an entry of the settings over; `group` has what holds for all servers."""
        timeout, longest, connect = (
            (group.timeout, group.max_call_time, group.connect_timeout)
            if group is not None
            else (CALL_TIMEOUT, LONGEST_CALL, CONNECT_TIMEOUT)
        )
        tls, oauth, choice = entry.tls, entry.oauth, entry.tools
        return cls(
            name=entry.name,
            command=entry.argv,
            env=entry.env,
            cwd=str(entry.cwd) if entry.cwd else None,
            url=entry.url or "",
            headers=entry.headers,
            sse=entry.transport == "sse",
            timeout=entry.timeout or timeout,
            longest_call=max(longest, entry.timeout or 0),
            connect_timeout=entry.connect_timeout or connect,
            enabled=entry.enabled,
            tools=ToolChoice(_patterns(choice.allow, ("*",)), tuple(choice.deny), tuple(choice.always_load)),
            tls=TlsFiles(_path(tls.ca), _path(tls.cert), _path(tls.key)) if tls else TlsFiles(),
            oauth=OAuthChoice(**oauth.model_dump(exclude={"scopes"}), scopes=tuple(oauth.scopes)) if oauth else None,
            era=entry.era,
            credentials=entry.credentials,
            sampling=entry.sampling,
            sandbox=entry.sandbox,
            roots=tuple(entry.roots) if entry.roots is not None else None,
            scope=entry.scope,
            place=str(entry.place),
            problem=entry.problem,
            fingerprint=entry.fingerprint(),
        )

    @classmethod
    def of_untrusted(cls, proposal: "Untrusted") -> "ServerDefinition":
        """A server that a project proposes and nobody has agreed to: it is shown, never started."""
        return cls(
            name=proposal.name,
            command=proposal.command,
            url=proposal.url or "",
            env=dict.fromkeys(proposal.env, ""),
            cwd=proposal.cwd,
            scope="project",
            place=str(proposal.place),
            fingerprint=proposal.fingerprint,
            trusted=False,
        )


def fingerprint_of(command: tuple[str, ...], env: Mapping[str, str], url: str) -> str:
    """A hash over command, arguments, names of variables, and url: what makes it the same server."""
    text = json.dumps([list(command), sorted(env), url], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _patterns(chosen: list[str] | None, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    return otherwise if chosen is None else tuple(chosen)


def _path(path: Path | None) -> str | None:
    return str(path.expanduser()) if path else None
