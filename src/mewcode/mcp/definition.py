"""What a connection needs to know about one configured server."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from mewcode.config import ServerEntry

TransportKind = Literal["stdio", "http", "sse"]
EraChoice = Literal["auto", "legacy", "modern"]

CONNECT_TIMEOUT = 30.0
"""Seconds for the handshake and the first listing, unless the entry says otherwise."""
CALL_TIMEOUT = 300.0
"""Seconds a call may stay silent, unless the entry says otherwise: tools that build or test take minutes."""
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
class ServerDefinition:
    """One server, expanded and checked. Times are in seconds.

    `problem` says why it cannot be started at all (an unset variable); `fingerprint` identifies what was trusted.
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
    enabled: bool = True
    tools: ToolChoice = ToolChoice()
    tls: TlsFiles = TlsFiles()
    era: EraChoice = "auto"
    credentials: Literal["service", "principal"] = "service"
    sampling: bool = False
    sandbox: str | None = None
    roots: tuple[str, ...] | None = None
    scope: str = "user"
    place: str = ""
    problem: str | None = None
    fingerprint: str = ""

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
        return self.fingerprint or fingerprint_of(self.command, self.env, self.url)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values that must not show up in logs or messages."""
        values = [*self.env.values(), *self.headers.values()]
        values += [value.partition(" ")[2] for value in self.headers.values() if " " in value]
        return tuple(sorted({value for value in values if len(value) >= 8}, key=len, reverse=True))

    def always_loads(self, tool: str) -> bool:
        """Whether a tool's schema is in front of the model from the start."""
        return any(fnmatchcase(tool, pattern) for pattern in self.tools.always_load)

    def directory(self, workspace: Path) -> Path:
        """Where the server runs: its own `cwd`, taken from the workspace, else the workspace."""
        return (workspace / Path(self.cwd).expanduser()).resolve() if self.cwd else workspace

    @classmethod
    def of(cls, entry: "ServerEntry") -> "ServerDefinition":
        """Takes the settings' entry over."""
        return definition_of(entry)


def fingerprint_of(command: tuple[str, ...], env: Mapping[str, str], url: str) -> str:
    """A hash over command, arguments, names of variables, and url: what makes it the same server."""
    text = json.dumps([list(command), sorted(env), url], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def definition_of(entry: "ServerEntry") -> ServerDefinition:
    """Turns a checked entry of the settings into a definition."""
    raise NotImplementedError(entry)
