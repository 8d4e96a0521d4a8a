"""The MCP servers, and how the host treats all of them."""

from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, Field, PrivateAttr, field_validator, model_validator

from mewcode.config.quantities import Duration, Size
from mewcode.config.schema.base import Entry, Group
from mewcode.config.schema.sandbox import SandboxSettings
from mewcode.config.shapes import as_list, as_mapping


class ToolChoice(Group):
    """Which of a server's tools are there. Globs over the server's own names; deny wins."""

    allow: list[str] | None = None
    """Only these; all when absent."""
    deny: list[str] = Field(default_factory=list[str])
    """Not these."""
    always_load: list[str] = Field(default_factory=list[str])
    """These are in the model's list from the start instead of being found by ToolSearch."""


class ServerTls(Group):
    """TLS of a server's URL."""

    ca: Path | None = None
    """Certificates (PEM) to trust besides the system's."""
    cert: Path | None = None
    """Our own certificate (PEM)."""
    key: Path | None = None
    """The key of our certificate (PEM)."""


class ServerOAuth(Group):
    """How to log in, where the server's own metadata does not say enough."""

    client_id: str | None = None
    """A client registered beforehand."""
    client_secret: str | None = Field(default=None, repr=False)
    """Its secret, best as ${VAR} or ${file:PATH}."""
    scopes: list[str] = Field(default_factory=list[str])
    """Scopes to ask for; the server's own when absent."""
    redirect_port: int | None = Field(default=None, ge=1, le=65535)
    """The loopback port of the redirect; any free one when absent."""
    grant: Literal["authorization_code", "client_credentials"] = "authorization_code"
    """client_credentials logs in without a person, for CI."""
    client_metadata_url: str | None = Field(default=None, pattern=r"^https://")
    """A client id metadata document (CIMD) of yours."""


class ServerEntry(Entry):
    """One MCP server: `command` starts it over stdio, `url` reaches it over Streamable HTTP (or old HTTP+SSE)."""

    command: str | None = Field(default=None, min_length=1)
    """The program. A list is the program and its first arguments."""
    args: list[str] = Field(default_factory=list[str])
    """Arguments of the program."""
    env: dict[str, str] = Field(default_factory=dict, validation_alias=AliasChoices("env", "environment"), repr=False)
    """The server's environment, besides PATH, HOME, USER, SHELL, TERM, LOGNAME and those that say where
    certificates are (SSL_CERT_FILE and the like). Nothing else is passed on."""
    cwd: Path | None = None
    """Where it runs; relative to the workspace, which is the default."""
    url: str | None = Field(default=None, pattern=r"^https?://")
    """Where it listens."""
    type: Literal["stdio", "http", "streamable-http", "sse"] | None = None
    """The transport, where `command` or `url` does not say it; sse is the old HTTP+SSE."""
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    """HTTP headers of each request."""
    timeout: Duration | None = None
    """Seconds a call may take without progress; `mcp.timeout` when absent."""
    connect_timeout: Duration | None = None
    """Seconds for handshake and first listing; `mcp.connect_timeout` when absent."""
    enabled: bool = True
    """Whether it is started at all."""
    tools: ToolChoice = Field(default_factory=ToolChoice.model_construct)
    """Which of its tools are there."""
    tls: ServerTls | None = None
    """TLS of its URL."""
    oauth: ServerOAuth | None = None
    """How to log in to it."""
    era: Literal["auto", "legacy", "modern"] = "auto"
    """The protocol's era: legacy is 2025-11-25, modern 2026-07-28; auto tries modern first."""
    credentials: Literal["service", "principal"] = "service"
    """In `serve`: one connection with the credentials above for everybody, or one for each principal."""
    sampling: bool = False
    """Whether it may ask our language model, through the gate."""
    sandbox: SandboxSettings | None = None
    """The sandbox that its process runs in; the general one when absent."""
    roots: list[str] | None = None
    """Folders told to it as roots; the workspace's roots when absent."""

    _name: str = PrivateAttr(default="")
    _fingerprint: str = PrivateAttr(default="")

    @property
    def name(self) -> str:
        return self._name

    @property
    def argv(self) -> tuple[str, ...]:
        """The command line of a stdio server; empty for a URL."""
        return (self.command, *self.args) if self.command else ()

    @property
    def transport(self) -> Literal["stdio", "http", "sse"]:
        if self.type == "sse":
            return "sse"
        return "stdio" if self.command else "http"

    def fingerprint(self) -> str:
        """SHA-256 in hex over the definition as written, before any expansion: what a user's trust is bound to."""
        return self._fingerprint

    def name_as(self, name: str, fingerprint: str) -> None:
        """Called once, by the loader."""
        self._name, self._fingerprint = name, fingerprint

    @field_validator("env", "headers", mode="before")
    @classmethod
    def _numbers_as_text(cls, value: Any) -> Any:
        """PORT: 8080 and DEBUG: true are what people write; a process only knows text."""
        mapping = as_mapping(value)
        return value if mapping is None else {key: _as_text(item) for key, item in mapping.items()}

    @model_validator(mode="before")
    @classmethod
    def _command_as_list(cls, data: Any) -> Any:
        mapping = as_mapping(data) or {}
        command = as_list(mapping.get("command"))
        if not command:
            return data
        return {**mapping, "command": command[0], "args": [*command[1:], *(as_list(mapping.get("args")) or [])]}

    @model_validator(mode="after")
    def _one_way_to_reach_it(self) -> "ServerEntry":
        if self.command and self.url:
            raise ValueError("config.command_and_url")
        if not self.command and not self.url:
            raise ValueError("config.no_command_no_url")
        if self.type == "stdio" and not self.command:
            raise ValueError("config.stdio_without_command")
        if self.type not in (None, "stdio") and not self.url:
            raise ValueError("config.http_without_url")
        return self


def _as_text(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


class McpGroup(Group):
    """How the host treats every server."""

    timeout: Duration = 300.0
    """Seconds a call may take without progress: builds and tests are silent for minutes."""
    max_call_time: Duration = 3600.0
    """Seconds a call may take at all, progress or not."""
    connect_timeout: Duration = 30.0
    """Seconds for handshake and first listing."""
    list_timeout: Duration = 30.0
    """Seconds for a later listing of tools, resources or prompts."""
    shutdown_timeout: Duration = 2.0
    """Seconds a server has to end after its input is closed, before it is stopped."""
    backoff_min: Duration = 0.5
    """The first pause before reconnecting; it doubles from there, with jitter."""
    backoff_max: Duration = 30.0
    """The longest pause before reconnecting."""
    max_line: Size = 64 * 1024**2
    """Bytes of the longest message over stdio, and of the longest event over HTTP."""
    result_characters: int = Field(default=25_000, gt=0)
    """Characters of a result that the model sees; the rest goes to a file that is named."""
    instructions_bytes: int = Field(default=2_000, ge=0)
    """Bytes of a server's own instructions that the model sees."""
    tool_reminder_tokens: int = Field(default=2_000, ge=0)
    """Tokens that the list of deferred tools may take in a reminder."""
    search_limit: int = Field(default=5, ge=1, le=20)
    """Tools that one search finds, unless it asks for more."""
    search_per_server: int = Field(default=3, ge=1)
    """Tools of one server among those, when others fit too."""
    semantic_search: bool = True
    """Use the local encoder beside the words, when `mewcode[semantic]` is installed."""
    tool_changes: Literal["note", "ask"] = "note"
    """What happens when a trusted server changes a tool's description or schema: say so, or ask before its next use."""
    max_tools: int = Field(default=20_000, gt=0)
    """Tools of one server; what comes after is left out, and said so."""
